/* Integer intrinsics, and the barrier of a cooperative grid. For nvcc only. */
#include <cooperative_groups.h>

__global__ void bytes(const unsigned *in, unsigned *out) {
    const unsigned a = in[0], b = in[1], c = in[2];
    unsigned r = __vabsdiffu4(a, b) + __vsadu4(a, c) + __vsadu2(b, c) + __dp4a(a, b, c) + __dp2a_lo(a, b, c);
    r += (unsigned)__dp4a((int)a, (int)b, (int)c) + (unsigned)__dp2a_hi((int)a, (int)b, (int)c) + __fns(a, b & 31, (int)c);
    out[threadIdx.x] = r;
}
__global__ void pairs(const unsigned *in, unsigned *out) {
    const unsigned a = in[0], b = in[1], c = in[2];
    out[0] = __vadd2(a, b) + __vmaxs2(a, c) + __vminu2(b, c) + __viaddmax_s16x2(a, b, c) + __viaddmin_u16x2(a, b, c);
    out[1] = __vimax_s16x2_relu(a, b) + __vimin3_s16x2(a, b, c) + (unsigned)__vimax_s32_relu((int)a, (int)b);
}
__global__ void grid(unsigned *out) {
    cooperative_groups::grid_group all = cooperative_groups::this_grid();
    out[all.thread_rank()] = 1;
    all.sync();
    out[all.thread_rank()] += out[0];
}
