// launch: grid=1 block=64 shared=0
// arg: float[64]:iota
// arg: float[3]:out
// result: 1[0] = 16
// result: 1[1] = 1
// result: 1[2] = 1
// Ballot, any, all, and the active mask, each for the lanes that reach it.
__global__ void kernel(const float *in, float *out) {
    unsigned t = threadIdx.x;
    unsigned even = __ballot_sync(0xffffffff, (t & 1) == 0);
    bool any = __any_sync(0xffffffff, in[t] == 31), all = __all_sync(0xffffffff, in[t] >= 0);
    if (t == 0) {
        out[0] = __popc(even);
        out[1] = any;
        out[2] = all;
    }
}
