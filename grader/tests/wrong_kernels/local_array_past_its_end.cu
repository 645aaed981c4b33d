// launch: grid=1 block=32
// arg: i32[64]:iota
// arg: i32[32]:out
// arg: u32 20
// expect: out-of-bounds line 9
// The kernel stores 20 values in a private array of 16 elements.
__global__ void kernel(const int *in, int *out, unsigned n) {
    int mine[16];
    for (unsigned k = 0; k < n; k++) mine[k] = in[k + threadIdx.x];
    int most = 0;
    for (unsigned k = 0; k < 16; k++) most = max(most, mine[k ^ (n & 3)]);
    out[threadIdx.x] = most;
}
