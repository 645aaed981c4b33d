// Kernels that launch kernels: in order, nested, in streams, and as tail launches. Some launches fail. The order of the
// notes is the simulator's: a GPU may run these grids in another order, so the notes race.
#include <cstdio>
__device__ int order[64], next, errors[4];
__global__ void note(int what) { order[next++] = what; } //! race-grids race-grids race-grids
__global__ void middle(int what) {
    note<<<1, 1>>>(what + 1);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(what + 3);
    note<<<1, 1>>>(what + 2);
    order[next++] = what; //! race-grids
}
__global__ void top() {
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    note<<<1, 1, 0, cudaStreamTailLaunch>>>(90);
    middle<<<1, 1, 0, s>>>(10);
    middle<<<1, 1, 0, cudaStreamFireAndForget>>>(20);
    cudaStreamDestroy(s);
    order[next++] = 1;
}
struct many {
    char tag;
    double value;
    short last[3];
};
__global__ void sum(many m, const int *in, int n, int *out) {
    extern __shared__ int s[];
    s[threadIdx.x] = threadIdx.x < n ? in[threadIdx.x] : 0;
    __syncthreads();
    for (int k = blockDim.x / 2; k; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (!threadIdx.x) *out = s[0] + m.tag + (int)m.value + m.last[2];
}
__global__ void sums(const int *in, int *out) {
    const int from = 100 * threadIdx.x;
    sum<<<1, 128, 512>>>(many{1, 2.5, {0, 0, 3}}, in + from, 100, out + threadIdx.x);
}
__global__ void wrong() {
    note<<<0, 1>>>(0);
    errors[0] = cudaGetLastError();
    errors[1] = cudaGetLastError();
    note<<<1, 2000>>>(0);
    errors[2] = cudaPeekAtLastError();
}
__global__ void deeper(int depth) {
    if (depth == 24) errors[3] = -1;
    deeper<<<1, 1>>>(depth + 1);
    if (!errors[3]) errors[3] = cudaGetLastError() ? depth : 0; //! race-grids
}
__global__ void late(int *p) { p[threadIdx.x] = 1; } //! out-of-bounds
__global__ void makes_it(int *p) { late<<<1, 64>>>(p); }
int main() {
    int h[64], all[400], *in, *out, n;
    top<<<1, 1>>>();
    cudaMemcpyFromSymbol(&n, next, sizeof n);
    cudaMemcpyFromSymbol(h, order, sizeof h);
    for (int k = 0; k < n; k++) printf("%d%s", h[k], k + 1 < n ? " " : "\n"); //= 1 10 11 12 13 20 21 22 23 90
    for (int k = 0; k < 400; k++) all[k] = k;
    cudaMalloc(&in, sizeof all), cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, all, sizeof all, cudaMemcpyHostToDevice);
    sums<<<1, 4>>>(in, out);
    cudaMemcpy(h, out, 16, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]); //= 4956 14956 24956 34956
    wrong<<<1, 1>>>();
    deeper<<<1, 1>>>(0);
    cudaMemcpyFromSymbol(h, errors, sizeof errors);
    printf("%d %d %d %d\n", h[0], h[1], h[2], h[3]); //= 9 0 9 23
    makes_it<<<1, 1>>>(out + 1);
    cudaDeviceSynchronize();
    cudaFree(in), cudaFree(out);
} //$ 1
