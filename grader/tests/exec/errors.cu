// Errors that the program checks. None of them is reported as unseen.
#include <cstdio>
__global__ void nothing() {}
int main() {
    nothing<<<1, 1025>>>(); //! bad-launch
    cudaError_t e = cudaPeekAtLastError();
    printf("%s: %s\n", cudaGetErrorName(e), cudaGetErrorString(e)); //= cudaErrorInvalidValue: invalid argument
    printf("%s\n", cudaGetErrorString(cudaErrorFileNotFound)); //= file not found
    int same = cudaGetLastError() == e;
    printf("%d %d\n", same, cudaGetLastError()); //= 1 0
    nothing<<<1, 1024>>>();
    printf("%d %d\n", cudaGetLastError(), cudaDeviceSynchronize()); //= 0 0
    void *p;
    printf("%s\n", cudaGetErrorName(cudaMalloc(&p, (size_t)1 << 60))); //= cudaErrorMemoryAllocation
    char *none = nullptr;
    cudaMalloc(&p, 16), cudaMemset(p, 0, 16);
    printf("%d\n", cudaMemcpy(none, p, 16, cudaMemcpyDeviceToHost)); //= 1 //! failed-call
    cudaGetLastError(), cudaFree(p);
} //$ 1
