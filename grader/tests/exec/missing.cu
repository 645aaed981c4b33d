// A call of a missing function ends the program with a message that names it.
#include <cstdio>
int main() {
    printf("before\n"); //= before
    cudaMipmappedArray_t m;
    cudaChannelFormatDesc d = cudaCreateChannelDesc<float>();
    cudaMallocMipmappedArray(&m, &d, make_cudaExtent(8, 8, 0), 2);
    printf("after\n");
} //$ 5
