// Kernels that copy, fill, allocate and call cudaLaunchDevice(). These operations run after the grid, in the order of the calls.
#include <cstdio>
__global__ void add(int *p, int n) {
    if (threadIdx.x < n) p[threadIdx.x] += 1;
}
__global__ void copies(int *to, const int *from, int *rows) {
    cudaMemsetAsync(to, 0, 256, 0);
    cudaMemcpyAsync(to, from, 128, cudaMemcpyDeviceToDevice, 0);
    add<<<1, 32>>>(to, 16);
    cudaMemset2DAsync(rows, 16, 1, 4, 3, 0);
    cudaMemcpy2DAsync(rows + 2, 16, from, 32, 8, 3, cudaMemcpyDeviceToDevice, 0);
    cudaMemsetAsync(to + 1, 0, 4, cudaStreamTailLaunch);
}
__global__ void own(int *out) {
    int *p = nullptr, device = -1, devices = -1;
    out[0] = cudaMalloc(&p, 64);
    p[15] = 7;
    out[1] = p[15];
    out[2] = cudaFree(p);
    out[3] = cudaMalloc(&p, 1 << 30);
    out[4] = p == nullptr;
    cudaGetDevice(&device), cudaGetDeviceCount(&devices);
    out[5] = device, out[6] = devices;
}
__global__ void plain(int *to) { // as CUB launches a kernel
    struct {
        int *p;
        int n;
    } *arguments = nullptr;
    arguments = (decltype(arguments))cudaGetParameterBuffer(8, 16);
    arguments->p = to, arguments->n = 8;
    to[9] = cudaLaunchDevice((void *)add, arguments, dim3(1), dim3(32), 0, 0);
    void *small = cudaGetParameterBuffer(8, 4);
    to[10] = cudaLaunchDevice((void *)add, small, dim3(1), dim3(32), 0, 0);
}
__global__ void past(int *to) { cudaMemsetAsync(to, 0, 260, 0); } //! out-of-bounds
__global__ void shared_out(int *to, const int *from) {
    if (!threadIdx.x) cudaMemcpyAsync(to, from, 128, cudaMemcpyDeviceToDevice, 0);
    if (threadIdx.x == 40) to[3] = 5; //! race-global
}
int main() {
    int all[64], h[64], *to, *from, *rows;
    for (int k = 0; k < 64; k++) all[k] = 100 + k;
    cudaMalloc(&to, 256), cudaMalloc(&from, 256), cudaMalloc(&rows, 48);
    cudaMemcpy(from, all, 256, cudaMemcpyHostToDevice);
    cudaMemset(rows, 0, 48);
    copies<<<1, 1>>>(to, from, rows);
    cudaMemcpy(h, to, 256, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d %d\n", h[0], h[1], h[15], h[16], h[31], h[32]); //= 101 0 116 116 131 0
    cudaMemcpy(h, rows, 48, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 12; k++) printf("%x%s", h[k], k < 11 ? " " : "\n");
    //= 1010101 0 64 65 1010101 0 6c 6d 1010101 0 74 75
    own<<<1, 1>>>(to);
    cudaMemcpy(h, to, 28, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 7; k++) printf("%d%s", h[k], k < 6 ? " " : "\n"); //= 0 7 0 2 0 0 1
    cudaMemset(to, 0, 256);
    plain<<<1, 1>>>(to);
    cudaMemcpy(h, to, 44, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d\n", h[0], h[7], h[8], h[9], h[10]); //= 1 1 0 0 1
    past<<<1, 1>>>(to);
    shared_out<<<1, 64>>>(to, from);
    cudaDeviceSynchronize();
    cudaFree(to), cudaFree(from), cudaFree(rows);
} //$ 1
