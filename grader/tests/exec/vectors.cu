// The usual first program: allocations, copies in both directions, and one launch.
#include <cstdio>
#include <vector>
__global__ void add(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
int main(int argc, char **argv) {
    const int n = 1000;
    std::vector<float> x(n), y(n, 2), z(n);
    for (int i = 0; i < n; i++) x[i] = i;
    float *a, *b, *c;
    cudaMalloc(&a, n * sizeof *a);
    cudaMalloc((void **)&b, n * sizeof *b);
    cudaMalloc(&c, n * sizeof *c);
    cudaMemcpy(a, x.data(), n * sizeof *a, cudaMemcpyHostToDevice);
    cudaMemcpy(b, y.data(), n * sizeof *b, cudaMemcpyDefault);
    add<<<(n + 255) / 256, 256>>>(a, b, c, n);
    cudaMemcpy(z.data(), c, n * sizeof *c, cudaMemcpyDeviceToHost);
    printf("%g %g %d\n", z[0], z[n - 1], argc); //= 2 1001 1
    cudaMemset(c, 0, n * sizeof *c);
    cudaMemcpy(a, c, 4, cudaMemcpyDeviceToDevice);
    cudaMemcpy(z.data(), a, 8, cudaMemcpyDeviceToHost);
    printf("%g %g\n", z[0], z[1]); //= 0 1
    cudaFree(a), cudaFree(b), cudaFree(c);
}
