// launch: grid=2 block=96
// arg: i32[192]:iota
// arg: i32[6]:out
// result: 1[0] = 16
// result: 1[5] = 16
// Lanes count with atomics in their warp's cell; __syncwarp() precedes the plain read.
__global__ void kernel(const int *in, int *out) {
    __shared__ int count[3];
    unsigned t = threadIdx.x, warp = t / 32;
    if (t % 32 == 0) count[warp] = 0;
    __syncwarp();
    if (in[blockIdx.x * 96 + t] & 1) atomicAdd(&count[warp], 1);
    __syncwarp();
    if (t % 32 == 0) out[blockIdx.x * 3 + warp] = count[warp];
}
