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
template <int... N> __global__ void name_of_hundreds_of_characters(int *out) { *out = (N + ...); }
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
    name_of_hundreds_of_characters<
         1000000, 1000001, 1000002, 1000003, 1000004, 1000005, 1000006, 1000007, 1000008, 1000009,
         1000010, 1000011, 1000012, 1000013, 1000014, 1000015, 1000016, 1000017, 1000018, 1000019,
         1000020, 1000021, 1000022, 1000023, 1000024, 1000025, 1000026, 1000027, 1000028, 1000029,
         1000030, 1000031, 1000032, 1000033, 1000034, 1000035, 1000036, 1000037, 1000038, 1000039><<<1, 1>>>(i);
    cudaMemcpy(k, i, sizeof *k, cudaMemcpyDeviceToHost);
    printf("%d\n", k[0]); //= 40000780
    cudaFree(d), cudaFree(i);
}
