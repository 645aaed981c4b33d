// An access through a null pointer ends all work of the device.
#include <cstdio>
__global__ void write(int *p) { *p = 1; } //! null-pointer
int main() {
    void *p;
    write<<<1, 1>>>(nullptr); //! kernel-stopped
    printf("%d %d\n", cudaGetLastError(), cudaDeviceSynchronize()); //= 0 700
    printf("%d\n", cudaMalloc(&p, 4));                              //= 700
    cudaGetLastError();
} //$ 1
