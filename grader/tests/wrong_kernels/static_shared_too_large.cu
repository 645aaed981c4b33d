// launch: grid=1 block=64
// arg: float[1]:out
// refused: 50000 bytes of __shared__ memory, but the maximum is 49152
// More __shared__ memory than a kernel may declare, so no GPU launches it.
__global__ void kernel(float *out) {
    __shared__ float s[12500];
    for (unsigned k = threadIdx.x; k < 12500; k += 64) s[k] = k;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = s[12499];
}
