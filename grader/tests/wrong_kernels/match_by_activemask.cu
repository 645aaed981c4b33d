// launch: grid=1 block=64
// arg: u32[64]:random
// arg: u32[64]:out
// release: active-mask-set line 8
// Compares the values of all lanes above 4, but omits lanes that are elsewhere in the branch.
__global__ void kernel(const unsigned *in, unsigned *out) {
    int same;
    if (in[threadIdx.x] > 4) out[threadIdx.x] = __match_all_sync(__activemask(), in[threadIdx.x], &same) + same;
}
