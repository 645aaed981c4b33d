// launch: block=32
// arg: u32[32]:iota
// arg: u32[32]:out
// expect: out-of-bounds line 7
__global__ void kernel(const unsigned *in, unsigned *out) {
    unsigned *own = (unsigned *)malloc(4 * sizeof *own);
    for (unsigned k = 0; k <= 4; k++) own[k] = in[threadIdx.x] + k;
    out[threadIdx.x] = own[3];
    free(own);
}
