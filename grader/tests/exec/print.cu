// The output of kernels appears in order with that of the host.
#include <cstdio>
__global__ void hello(int k) {
    if (threadIdx.x == 0) printf("block %d of launch %d\n", blockIdx.x, k);
}
int main() {
    printf("before\n");     //= before
    hello<<<2, 32>>>(1);    //= block 0 of launch 1
    cudaDeviceSynchronize(); //= block 1 of launch 1
    printf("between\n");    //= between
    hello<<<1, 32>>>(2);    //= block 0 of launch 2
    cudaDeviceSynchronize();
    printf("after\n"); //= after
}
