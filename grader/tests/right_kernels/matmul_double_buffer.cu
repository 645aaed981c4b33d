// launch: grid=4 block=64
// arg: float[256]:ones
// arg: float[256]:ones
// arg: float[256]:out
// result: 2[0] = 16
// result: 2[255] = 16
// A 16 x 16 product with two alternating tiles of 8 x 8: the next tile is loaded while the current one is used.
__global__ void kernel(const float *a, const float *b, float *c) {
    __shared__ float as[2][8][8], bs[2][8][8];
    unsigned x = threadIdx.x % 8, y = threadIdx.x / 8, row = blockIdx.x / 2 * 8 + y, column = blockIdx.x % 2 * 8 + x;
    float sum = 0;
    as[0][y][x] = a[row * 16 + x], bs[0][y][x] = b[y * 16 + column];
    __syncthreads();
    for (unsigned k = 0; k < 2; k++) {
        if (k == 0) as[1][y][x] = a[row * 16 + 8 + x], bs[1][y][x] = b[(8 + y) * 16 + column];
        for (unsigned n = 0; n < 8; n++) sum += as[k][y][n] * bs[k][n][x];
        __syncthreads();
    }
    c[row * 16 + column] = sum;
}
