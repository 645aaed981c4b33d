// Stream capture: of two streams, a host function, memory nodes and a child graph; then reading and updating the captured nodes.
#include <cstdio>
__global__ void add(int *p, int x) { atomicAdd(p, x); }
static int calls;
static void on_host(void *data) { calls += *(int *)data; }
static cudaGraph_t capture(cudaStream_t a, cudaStream_t b, int *p, int *h, int x) {
    static int one = 1;
    cudaEvent_t fork, join;
    cudaGraph_t g;
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming), cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    cudaMemsetAsync(p, 0, sizeof *p, a);
    cudaEventRecord(fork, a), cudaStreamWaitEvent(b, fork, 0);
    add<<<2, 32, 0, a>>>(p, x);
    add<<<1, 32, 0, b>>>(p, 10 * x);
    cudaEventRecord(join, b), cudaStreamWaitEvent(a, join, 0);
    cudaMemcpyAsync(h, p, sizeof *p, cudaMemcpyDeviceToHost, a);
    cudaLaunchHostFunc(a, on_host, &one);
    cudaStreamEndCapture(a, &g);
    cudaEventDestroy(fork), cudaEventDestroy(join);
    return g;
}
int main() {
    int *p, *h, *own;
    cudaStream_t a, b;
    cudaGraph_t none, whole;
    cudaMalloc(&p, sizeof *p), cudaMallocHost(&h, sizeof *h);
    cudaStreamCreate(&a), cudaStreamCreate(&b);
    cudaGraph_t g = capture(a, b, p, h, 1), other = capture(a, b, p, h, 2);
    size_t nodes, edges = 0, roots;
    cudaGraphGetNodes(g, nullptr, &nodes), cudaGraphGetRootNodes(g, nullptr, &roots);
#if CUDART_VERSION >= 13000
    cudaGraphGetEdges(g, nullptr, nullptr, nullptr, &edges);
#else
    cudaGraphGetEdges(g, nullptr, nullptr, &edges);
#endif
    printf("%zu %zu %zu\n", nodes, edges, roots); //= 5 5 1
    cudaGraphExec_t e, sum, second;
    cudaGraphInstantiate(&e, g, 0);
    cudaGraphLaunch(e, a), cudaGraphLaunch(e, a), cudaStreamSynchronize(a);
    printf("%d %d\n", *h, calls); //= 384 2
    cudaGraphExecUpdateResultInfo info;
    cudaGraphExecUpdate(e, other, &info);
    cudaGraphLaunch(e, a), cudaStreamSynchronize(a);
    printf("%d %d\n", info.result == cudaGraphExecUpdateSuccess, *h); //= 1 768

    // Memory that belongs to the graph, and a graph that contains another graph.
    cudaStreamBeginCapture(b, cudaStreamCaptureModeRelaxed);
    cudaMallocAsync(&own, sizeof *own, b);
    cudaMemsetAsync(own, 0, sizeof *own, b);
    add<<<1, 1, 0, b>>>(own, 7);
    cudaMemcpyAsync(p, own, sizeof *own, cudaMemcpyDeviceToDevice, b);
    cudaFreeAsync(own, b);
    cudaStreamCaptureStatus status;
    cudaStreamIsCapturing(b, &status);
    cudaStreamEndCapture(b, &whole);
    cudaGraphInstantiate(&sum, whole, 0);
    cudaGraphLaunch(sum, b), cudaGraphLaunch(sum, b);
    cudaMemcpyAsync(h, p, sizeof *p, cudaMemcpyDeviceToHost, b), cudaStreamSynchronize(b);
    printf("%d %d\n", status == cudaStreamCaptureStatusActive, *h); //= 1 7
    printf("%d\n", cudaGraphExecUpdate(e, whole, &info)); //= 801 //! failed-call
    printf("%d\n", cudaGraphInstantiate(&second, whole, 0)); //= 801 //! failed-call
    cudaGraphNode_t inner;
    cudaGraphNodeType type;
    cudaGraphCreate(&none, 0), cudaGraphAddChildGraphNode(&inner, none, nullptr, 0, g);
    cudaGraphNodeGetType(inner, &type);
    printf("%d\n", type == cudaGraphNodeTypeGraph); //= 1
    cudaGraphDestroy(none);

    // Calls that make a capture invalid: waiting for the stream or the device, and launching a graph.
    for (int k = 0; k < 3; k++) {
        cudaStreamBeginCapture(b, cudaStreamCaptureModeRelaxed);
        int error = k == 2 ? cudaDeviceSynchronize() : k ? cudaGraphLaunch(e, b) : cudaStreamSynchronize(b); //! failed-call
        cudaStreamIsCapturing(b, &status);
        int then = cudaMemsetAsync(p, 0, sizeof *p, b), last = cudaStreamEndCapture(b, &none); //! failed-call
        printf("%d %d %d %d %d\n", error, status, then, last, none == nullptr); //= 900 2 901 901 1
    }
    //= 900 2 901 901 1
    //= 900 2 901 901 1

    // Work in the default stream would wait for a captured stream, which is an error, unless that stream is non-blocking.
    cudaStream_t apart;
    cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking);
    for (int k = 0; k < 2; k++) {
        cudaStreamBeginCapture(k ? apart : b, cudaStreamCaptureModeRelaxed);
        int error = cudaMemcpy(h, p, sizeof *p, cudaMemcpyDeviceToHost); //! failed-call
        int last = cudaStreamEndCapture(k ? apart : b, &none); //! failed-call
        printf("%d %d\n", error, last); //= 906 901
    }
    //= 0 0
    cudaGraphDestroy(none), cudaStreamDestroy(apart);

    // A capture whose second stream is not joined.
    cudaEvent_t fork;
    cudaEventCreate(&fork);
    cudaStreamBeginCapture(a, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, a), cudaStreamWaitEvent(b, fork, 0);
    add<<<1, 1, 0, b>>>(p, 1);
    const bool unjoined = cudaStreamEndCapture(a, &none) == cudaErrorStreamCaptureUnjoined; //! failed-call
    printf("%d\n", unjoined); //= 1
    add<<<1, 1, 0, b>>>(p, 1); // the capture is over
    cudaStreamSynchronize(b);
    cudaGraphExecDestroy(e), cudaGraphExecDestroy(sum);
    cudaGraphDestroy(g), cudaGraphDestroy(other), cudaGraphDestroy(whole);
    cudaStreamDestroy(a), cudaStreamDestroy(b), cudaEventDestroy(fork), cudaFree(p), cudaFreeHost(h);
}
