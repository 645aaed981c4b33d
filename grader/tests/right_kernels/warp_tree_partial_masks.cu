// launch: grid=1 block=32 shared=128
// arg: float[32]:iota
// arg: float[1]:out
// result: 1[0] = 496
// Row D2 of the ladder: the mask shrinks with the tree.
__global__ void kernel(const float *in, float *out) {
    extern __shared__ float s[];
    unsigned t = threadIdx.x;
    s[t] = in[t];
    __syncwarp();
    unsigned mask = 0xffffffff;
    for (unsigned k = 16; k > 0; k >>= 1) {
        bool mine = t < k;
        if (mine) s[t] += s[t + k];
        __syncwarp(mask);
        mask = (1u << k) - 1;
        if (!mine) break;
    }
    if (t == 0) out[0] = s[0];
}
