// launch: grid=1 block=64 shared=200000
// arg: float[1]:out
// refused: 40000 bytes of __shared__ memory and 200000 set at launch exceed the 232448
// Declared and dynamic shared memory together exceed the limit per block.
__global__ void kernel(float *out) {
    __shared__ float s[10000];
    extern __shared__ float more[];
    s[threadIdx.x] = more[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = s[63] + more[63];
}
