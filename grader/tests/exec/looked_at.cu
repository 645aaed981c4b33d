// An error counts as checked if the program uses the returned value in any way.
#include <cstdio>
#include <cstdlib>
static const size_t much = (size_t)1 << 50;
template <class T> T *get(size_t n) {
    T *p = nullptr;
    if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) return nullptr;
    return p;
}
static void check(cudaError_t e) {
    if (e) printf("%s\n", cudaGetErrorName(e));
}
int main() {
    int *p = get<int>(much), *q;
    check(cudaMalloc(&q, much)); //= cudaErrorMemoryAllocation
    bool ok = cudaMalloc(&q, much) == cudaSuccess;
    printf("%d %d\n", ok, p != nullptr); //= 0 0
    switch (cudaMalloc(&q, much)) {
    case cudaSuccess: break;
    default: exit(2);
    }
} //$ 6
