// The host dereferences a device pointer, which ends the program, as it would with a GPU.
#include <cstdio>
int main() {
    int *d;
    cudaMalloc(&d, 400);
    cudaMemset(d, 0, 400);
    printf("before\n"); //= before
    fflush(stdout);
    printf("%d\n", d[3]); //! device-pointer
    cudaFree(d);
} //$ 1
