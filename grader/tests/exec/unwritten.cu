// Results that nobody has computed, and elements that nobody has written.
#include <cstdio>
__global__ void half(const int *in, int *out, int n) {
    if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x]; //! uninitialized-global
}
int main() {
    int *a, *b, h[32];
    cudaMalloc(&a, sizeof h), cudaMalloc(&b, sizeof h);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost); //! unwritten-copy
    half<<<1, 32>>>(a, b, 16);
    cudaMemcpy(h, b, 16 * sizeof *h, cudaMemcpyDeviceToHost);
    printf("done\n"); //= done
    cudaFree(a), cudaFree(b);
} //$ 1
