// launch: grid=1 block=64
// arg: u32[64]:random
// arg: u32[64]:out
// release: active-mask-set line 7
// How many lanes of the warp have the same value? Those at another place of the branch are left out.
__global__ void kernel(const unsigned *in, unsigned *out) {
    if (in[threadIdx.x] > 4) out[threadIdx.x] = __popc(__match_any_sync(__activemask(), in[threadIdx.x]));
}
