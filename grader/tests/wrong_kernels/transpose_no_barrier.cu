// launch: grid=1 block=256
// arg: float[256]:random
// arg: float[256]:out
// expect: race-shared line 11 and 10
// expect: race-warp line 11 and 10
// The tile is read by columns before all rows are written.
__global__ void kernel(const float *in, float *out) {
    __shared__ float tile[16][17];
    unsigned x = threadIdx.x % 16, y = threadIdx.x / 16;
    tile[y][x] = in[threadIdx.x];
    out[threadIdx.x] = tile[x][y];
}
