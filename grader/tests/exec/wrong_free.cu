// Memory that is freed twice, through a pointer into its middle, with the wrong function, or without having been allocated.
#include <cstdio>
int main() {
    int *a, *b, *h, local;
    cudaMalloc(&a, 100), cudaMalloc(&b, 100), cudaMallocHost(&h, 100);
    cudaFree(a);
    cudaFree(a);      //! double-free
    cudaFree(b + 1);  //! wrong-free
    cudaFree(h);      //! wrong-free
    cudaFree(&local); //! wrong-free
    cudaFree(b), cudaFreeHost(h), cudaFree(nullptr);
    printf("%d\n", cudaGetLastError()); //= 1
} //$ 1
