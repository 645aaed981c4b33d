// launch: grid=1 block=32 debug=0
// arg: int[1]:out
// arg: int[8]:iota
// result: 0[0] = 28
// With the mask 0xff, lanes 4 to 7 read lanes that do not execute the shuffle, but drop the value.
__global__ void kernel(int *out, const int *in) {
    unsigned lane = threadIdx.x, mask = __ballot_sync(0xffffffff, lane < 8);
    if (lane >= 8) return;
    int x = in[lane];
    for (unsigned offset = 4; offset; offset /= 2) {
        int y = __shfl_down_sync(mask, x, offset);
        if (lane + offset < 8) x += y;
    }
    if (lane == 0) out[0] = x;
}
