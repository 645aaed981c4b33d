// Freed memory is used by a copy, by a kernel, and by a kernel that loads the pointer from memory.
#include <cstdio>
__global__ void read(const int *p, int *out) { out[threadIdx.x] = p[threadIdx.x]; } //! use-after-free
__global__ void follow(int *const *p, int *out) { out[threadIdx.x] = p[0][threadIdx.x]; } //! use-after-free
__global__ void unused(int n, const int *p, int *out) { out[threadIdx.x] = n ? n : p[0]; }
int main() {
    int h[32] = {0}, *a, *out, **list;
    cudaMalloc(&a, sizeof h), cudaMalloc(&out, sizeof h), cudaMalloc(&list, sizeof a);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(list, &a, sizeof a, cudaMemcpyHostToDevice);
    cudaFree(a);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost); //! freed-memory
    cudaGetLastError();
    read<<<1, 32>>>(a, out); //! freed-memory
    follow<<<1, 32>>>(list, out);
    unused<<<1, 32>>>(1, a, out); //! freed-memory
    cudaDeviceSynchronize();
    cudaFree(out), cudaFree(list);
} //$ 1
