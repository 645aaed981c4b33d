// Eight lanes join digits, or add them, in three steps. `after` records the values after each step, which show whether
// the order of the operands is kept.
extern "C" __global__ void order(int *after, int first, int join) {
    __shared__ volatile int value[8], factor[8];
    const int lane = threadIdx.x;
    if (lane >= 8) return;
    value[lane] = lane + 1, factor[lane] = 10;
    __syncwarp(0xff);
    for (int step = 0; step < 3; step++) {
        const int from = (lane + (first == 4 ? 4 >> step : 1 << step)) % 8;
        const int right = value[from], behind = factor[from];
        __syncwarp(0xff);
        value[lane] = join ? value[lane] * behind + right : value[lane] + right;
        factor[lane] = factor[lane] * behind;
        __syncwarp(0xff);
        after[8 * step + lane] = value[lane];
    }
}
