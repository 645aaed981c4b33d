// Kernel templates, structs and arrays as parameters, device functions.
#include <cstdio>
template <typename T> struct pair {
    T a, b;
    __host__ __device__ T sum() const { return a + b; }
};
template <typename T, int N> __global__ void sums(pair<T> p, T *out) {
    if (threadIdx.x < N) out[threadIdx.x] = p.sum() * (T)threadIdx.x;
}
struct many {
    char tag;
    double value[5];
    short last;
};
__global__ void take(many m, double *out) { *out = m.value[4] + m.tag + m.last; }
namespace {
__global__ void hidden(double *out) { *out += 1; }
}
int main() {
    double *d, h[4];
    int *i, k[4];
    cudaMalloc(&d, sizeof h), cudaMalloc(&i, sizeof k);
    sums<double, 4><<<1, 32>>>({1.5, 2}, d);
    sums<int, 4><<<1, 32>>>({1, 2}, i);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(k, i, sizeof k, cudaMemcpyDeviceToHost);
    printf("%g %d\n", h[3], k[3]); //= 10.5 9
    many m = {1, {0, 0, 0, 0, 2.5}, 3};
    take<<<1, 1>>>(m, d);
    hidden<<<1, 1>>>(d);
    cudaMemcpy(h, d, sizeof *h, cudaMemcpyDeviceToHost);
    printf("%g\n", h[0]); //= 7.5
    cudaFree(d), cudaFree(i);
}
