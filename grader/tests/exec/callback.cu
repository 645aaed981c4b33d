// A host function between two kernels of a stream.
#include <cstdio>
__global__ void set(int *p, int v) { *p = v; }
void CUDART_CB see(void *data) { printf("saw %d\n", *(int *)data); }
int main() {
    int *p;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocManaged(&p, sizeof *p);
    set<<<1, 1, 0, s>>>(p, 7);
    cudaLaunchHostFunc(s, see, p); //= saw 7
    set<<<1, 1, 0, s>>>(p, 8);
    cudaStreamSynchronize(s);
    printf("%d\n", *p); //= 8
    cudaStreamDestroy(s), cudaFree(p);
}
