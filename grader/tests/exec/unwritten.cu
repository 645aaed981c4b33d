// The program copies results that were never computed, and elements that were never written.
#include <cstdio>
__global__ void half(const int *in, int *out, int n) {
    if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x]; //! uninitialized-global
}
__global__ void full(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; }
__global__ void less(const int *in, int *out) { out[threadIdx.x] = in[threadIdx.x]; } //! uninitialized-global
int main() {
    int *a, *b, *part, h[32];
    cudaMalloc(&part, sizeof h), cudaMalloc(&a, sizeof h), cudaMalloc(&b, sizeof h);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost); //! unwritten-copy
    half<<<1, 32>>>(a, b, 16);
    cudaMemcpy(h, b, 16 * sizeof *h, cudaMemcpyDeviceToHost);
    half<<<1, 32>>>(a, b, 16);
    cudaMemset(a, 0, 40), cudaMemcpy(a + 10, h, 88, cudaMemcpyHostToDevice); /* together, they write all of a */
    full<<<1, 32>>>(a, b);
    cudaMemcpy(part, h, 31, cudaMemcpyHostToDevice); /* bytes, not elements */
    less<<<1, 32>>>(part, b);
    printf("done\n"); //= done
    cudaFree(a), cudaFree(b), cudaFree(part);
} //$ 1
