// A warp reads every stride-th word of shared memory, where `pad` words follow each 32.
extern "C" __global__ void banks(int *out, int stride, int pad) {
    __shared__ int s[2048];
#pragma unroll 1
    for (int k = threadIdx.x; k < 2048; k += 32) s[k] = k;
    __syncwarp();
    const int word = threadIdx.x * stride;
    out[threadIdx.x] = s[word + word / 32 * pad];
}
