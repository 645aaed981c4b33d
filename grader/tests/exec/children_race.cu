// Races of grids that kernels launch, with each other and with their parent, and what orders them: a stream, an event, a
// tail launch.
#include <cstdio>
__device__ int a[32], b[32], c[32], d[32], e[32], once;
__global__ void add(int *p, int v) {
    p[threadIdx.x] += v; //! race-grids
}
__global__ void set(int *p, int v) { p[threadIdx.x] = v; } //! race-grids
__global__ void copy(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void good(int *p, int v) { p[threadIdx.x] += v; }
__global__ void count() { atomicAdd(&once, 1); }
__global__ void inner(int *p) { good<<<1, 32>>>(p, 1); }
__global__ void two_streams() {
    cudaStream_t s, t;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    add<<<1, 32, 0, s>>>(a, 1);
    add<<<1, 32, 0, t>>>(a, 2);
}
__global__ void parent_reads() {
    set<<<1, 32>>>(b, 7);
    e[0] = b[5];
}
__global__ void ordered() {
    cudaStream_t s, t;
    cudaEvent_t done;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
    c[5] = 1; // before the launch
    good<<<1, 32, 0, s>>>(c, 1);
    inner<<<1, 1, 0, s>>>(c);
    cudaEventRecord(done, s);
    cudaStreamWaitEvent(t, done, 0);
    good<<<1, 32, 0, t>>>(c, 2);
    count<<<1, 32>>>();
    count<<<1, 32, 0, cudaStreamFireAndForget>>>(); // atomics do not race
    good<<<1, 32>>>(d, 1);
    good<<<1, 32>>>(d, 2);
    copy<<<1, 32, 0, cudaStreamTailLaunch>>>(c, e);
}
__global__ void fails() {
    set<<<0, 32>>>(b, 7);
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
__global__ void unseen() {
    set<<<1, 32>>>(b, 7);
    set<<<1, 2000>>>(b, 7); //! nested-launch
}
__global__ void reads(const int *p, int *to) {
    *to = *p; //! out-of-bounds out-of-bounds
}
__global__ void lends() {
    __shared__ int s;
    int own = 7;
    const int *volatile hidden = &own; // the compiler would warn of &own
    s = *hidden;
    reads<<<1, 1>>>(&s, e + 1);     //! nested-launch
    reads<<<1, 1>>>(hidden, e + 2); //! nested-launch
}
int main() {
    int h[32], n;
    two_streams<<<1, 1>>>();
    parent_reads<<<1, 1>>>();
    ordered<<<1, 1>>>();
    cudaMemcpyFromSymbol(h, e, sizeof h);
    cudaMemcpyFromSymbol(&n, once, sizeof n);
    printf("%d %d %d\n", h[5], h[6], n); //= 5 4 64
    fails<<<1, 1>>>();
    cudaDeviceSynchronize(); //= invalid configuration argument
    unseen<<<1, 1>>>();
    lends<<<1, 1>>>();
    cudaDeviceSynchronize();
} //$ 1
