// launch: grid=4 block=256
// arg: u32[4096]:iota
// arg: u32[4096]:out
// result: 1[1] = 64
// result: 1[64] = 1
// Transposes 64 x 64 elements in tiles of 32 x 32 with a padded column; a block has 32 x 8 threads.
__global__ void kernel(const unsigned *in, unsigned *out) {
    __shared__ unsigned tile[32][33];
    unsigned x = threadIdx.x % 32, y = threadIdx.x / 32, bx = blockIdx.x % 2 * 32, by = blockIdx.x / 2 * 32;
    for (unsigned k = 0; k < 32; k += 8) tile[y + k][x] = in[(by + y + k) * 64 + bx + x];
    __syncthreads();
    for (unsigned k = 0; k < 32; k += 8) out[(bx + y + k) * 64 + by + x] = tile[x][y + k];
}
