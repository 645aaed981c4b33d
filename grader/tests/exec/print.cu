// The output of kernels appears in order with that of the host.
#include <cstdio>
#include <sys/mman.h>
#include <unistd.h>
__global__ void hello(int k) {
    if (threadIdx.x == 0) printf("block %d of launch %d\n", blockIdx.x, k);
}
__global__ void lines(int n) {
    for (int k = 0; k < n; k++) printf("%63d\n", k);
}
int main() {
    printf("before\n");     //= before
    hello<<<2, 32>>>(1);    //= block 0 of launch 1
    cudaDeviceSynchronize(); //= block 1 of launch 1
    printf("between\n");    //= between
    hello<<<1, 32>>>(2);    //= block 0 of launch 2
    cudaDeviceSynchronize();
    printf("after\n"); //= after

    // The size of the printf buffer limits the output of a launch.
    const int file = memfd_create("output", 0), terminal = dup(1);
    fflush(stdout), dup2(file, 1);
    cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 1 << 19);
    lines<<<1, 1>>>(9000);
    cudaDeviceSynchronize();
    fflush(stdout), dup2(terminal, 1);
    const off_t bytes = lseek(file, 0, SEEK_END);
    printf("%d\n", bytes >= 1 << 19 && bytes < (1 << 19) + 100); //= 1
}
