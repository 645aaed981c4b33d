// launch: grid=6 block=32
// arg: i32[6]:ones
// arg: i32[6]:out
// arg: i32[7]:zero
// expect: race-blocks line 13 and 14
// The previous block's sum is read after its flag is set, but no fence orders the write of the sum before the flag.
__global__ void kernel(const int *in, int *total, int *flag) {
    if (threadIdx.x) return;
    int b = atomicAdd(&flag[6], 1), sum = 0;
    if (b > 0) {
        while (atomicAdd(&flag[b - 1], 0) == 0) {}
        __threadfence();
        sum = total[b - 1]; }
    total[b] = sum + in[b];
    atomicExch(&flag[b], 1);
}
