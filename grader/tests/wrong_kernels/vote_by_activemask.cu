// launch: grid=1 block=64
// arg: float[64]:random
// arg: u32[2]:out
// release: active-mask-set line 8
// Counts the lanes with a large value, but only among the lanes that happen to run together.
__global__ void kernel(const float *in, unsigned *out) {
    unsigned t = threadIdx.x, mask = __activemask();
    unsigned large = __ballot_sync(mask, in[t] > 4);
    if (t % 32 == 0) out[t / 32] = __popc(large);
}
