// launch: grid=1 block=64
// arg: u32[64]:random
// arg: u32[64]:out
// release: active-mask-set line 8
// Lanes with a value above 4 compare their values, but the active mask may omit some of them.
__global__ void kernel(const unsigned *in, unsigned *out) {
    int same;
    if (in[threadIdx.x] > 4) out[threadIdx.x] = __match_all_sync(__activemask(), in[threadIdx.x], &same) + same;
}
