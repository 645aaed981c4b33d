// launch: grid=2 block=64
// arg: u8[160]:random
// expect: misaligned line 11
// expect: misaligned line 12
// expect: race-global line 12 and 11
// expect: race-blocks line 12 and 11
// expect: race-blocks line 11
// Records start at any address. A block reads its neighbor's record without a barrier, and both blocks use the same records.
__global__ void kernel(unsigned char *records) {
    if (threadIdx.x % 32) return;
    *(int *)(records + 1 + threadIdx.x) = 5;
    int v = *(int *)(records + 1 + (threadIdx.x ^ 32));
    if (v == 77) __trap();
}
