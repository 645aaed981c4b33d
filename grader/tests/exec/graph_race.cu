/* Graph nodes may run concurrently if no path connects them. */
//$ 1
#include <cstdio>

__global__ void fill(int *to, int value) { to[threadIdx.x] = value; }
__global__ void copy(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x]; }

static cudaGraphNode_t add(cudaGraph_t g, void *kernel, void **arguments, const cudaGraphNode_t *after, size_t afters) {
    cudaKernelNodeParams p = {kernel, 1, 32, 0, arguments, NULL};
    cudaGraphNode_t n;
    cudaGraphAddKernelNode(&n, g, after, afters, &p); //! graph-race
    return n;
}
static int last_of(cudaGraph_t g, const int *memory, cudaStream_t stream) {
    int value = 0;
    cudaGraphExec_t e;
    cudaGraphInstantiate(&e, g, 0);
    cudaGraphLaunch(e, 0);
    cudaGraphLaunch(e, stream); /* runs after the previous launch of this graph, although in another stream */
    cudaDeviceSynchronize();
    cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost);
    cudaGraphExecDestroy(e);
    return value;
}
int main() {
    int *a, *b, *c, one = 1, two = 2;
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaMalloc(&a, 128), cudaMalloc(&b, 128), cudaMalloc(&c, 128);
    cudaStreamCreate(&s), cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming), cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    void *fill_a[] = {&a, &one}, *fill_c[] = {&c, &two}, *a_to_b[] = {&b, &a}, *b_to_c[] = {&c, &b}, *a_to_c[] = {&c, &a};

    cudaGraph_t right, wrong, captured;
    cudaGraphCreate(&right, 0), cudaGraphCreate(&wrong, 0);
    cudaGraphNode_t both[2];
    cudaGraphNode_t first = add(right, (void *)fill, fill_a, NULL, 0);
    both[0] = add(right, (void *)copy, a_to_b, &first, 1);
    both[1] = add(right, (void *)copy, a_to_c, &first, 1);
    add(right, (void *)copy, b_to_c, both, 2);
    printf("%d\n", last_of(right, c, t)); //= 1

    add(wrong, (void *)fill, fill_a, NULL, 0);
    add(wrong, (void *)copy, a_to_b, NULL, 0); // the finding: reads what the first node writes
    add(wrong, (void *)fill, fill_c, NULL, 0); // touches neither
    printf("%d\n", last_of(wrong, c, t)); //= 2

    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, s), cudaStreamWaitEvent(t, fork, 0);
    fill<<<1, 32, 0, s>>>(a, 5);
    copy<<<1, 32, 0, t>>>(b, a); //! graph-race
    cudaEventRecord(join, t), cudaStreamWaitEvent(s, join, 0);
    fill<<<1, 32, 0, s>>>(b, 7);
    cudaStreamEndCapture(s, &captured);
    printf("%d\n", last_of(captured, b, t)); //= 7
    cudaGraphDestroy(right), cudaGraphDestroy(wrong), cudaGraphDestroy(captured);
    cudaStreamDestroy(s), cudaStreamDestroy(t), cudaEventDestroy(fork), cudaEventDestroy(join);
    cudaFree(a), cudaFree(b), cudaFree(c);
}
