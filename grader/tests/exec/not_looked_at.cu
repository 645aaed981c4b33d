// The result of a failing call is ignored, and later calls succeed.
#include <cstdio>
int main() {
    int *p = nullptr, n = 0;
    cudaMalloc(&p, (size_t)1 << 50); //! unseen-error
    if (cudaGetDeviceCount(&n) != cudaSuccess) return 1;
    printf("%d %d\n", n, p == nullptr); //= 1 1
} //$ 1
