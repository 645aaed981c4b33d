// launch: grid=1 block=32
// arg: i32[32]:iota
// arg: i32[32]:out
// expect: out-of-bounds line 9
// Every eighth lane reads the element before the start of its array.
__global__ void kernel(const int *in, int *out) {
    int window[8];
    for (int k = 0; k < 8; k++) window[k] = in[(threadIdx.x + k) % 32];
    out[threadIdx.x] = window[(int)(in[threadIdx.x] % 8) - 1];
}
