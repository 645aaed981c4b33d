// A finding in a kernel, which the report attributes to its launch.
#include <cstdio>
__global__ void sum(const float *in, float *out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    for (int stride = 128; stride > 0; stride /= 2) {
        if (t < stride) s[t] += s[t + stride]; //! race-shared
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}
int main() {
    float *in, *out, h;
    cudaMalloc(&in, 256 * sizeof *in), cudaMalloc(&out, sizeof *out);
    cudaMemset(in, 0, 256 * sizeof *in);
    sum<<<1, 256>>>(in, out);
    sum<<<1, 256>>>(in, out);
    cudaMemcpy(&h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("done\n"); //= done
    cudaFree(in), cudaFree(out);
} //$ 1
