// An access through a null pointer ends all work of the device.
#include <cstdio>
__global__ void write(int *p) { *p = 1; } //! null-access
int main() {
    void *p;
    write<<<1, 1>>>(nullptr); //! kernel-stopped
    printf("%d\n", cudaGetLastError());      //= 0
    printf("%d\n", cudaDeviceSynchronize()); //= 700
    printf("%d\n", cudaMalloc(&p, 4));                              //= 700
    cudaGetLastError();
} //$ 1
