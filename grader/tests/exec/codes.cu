// Invalid arguments return the error codes of a GPU, and advice about managed memory can be read back.
#include <cstdio>
__global__ void nothing() {}
__device__ int symbol[4];
static void check(const char *what, cudaError_t e) { printf("%s %d %d\n", what, e, cudaGetLastError()); }
int main() {
    int *d, *m, w[3], h[8], n;
    cudaMalloc(&d, 400), cudaMallocManaged(&m, 4096);
    void *p;
    cudaEvent_t e;
    cudaStream_t s;
    cudaGraph_t g, child;
    cudaGraphExec_t x;
    cudaGraphNode_t empty, inner;
    cudaFuncAttributes a;
    cudaMemLocation gpu = {cudaMemLocationTypeDevice, 0}, cpu = {cudaMemLocationTypeHost, 0};
    check("managed flags", cudaMallocManaged(&p, 4, 77));          //= managed flags 1 1
    check("pinned flags", cudaHostAlloc(&p, 4, 0x100));            //= pinned flags 1 1
    check("event flags", cudaEventCreateWithFlags(&e, 0x40));      //= event flags 1 1
    check("stream flags", cudaStreamCreateWithFlags(&s, 77));      //= stream flags 1 1
    check("device flags", cudaSetDeviceFlags(0x1000));             //= device flags 1 1
    check("register flags", cudaHostRegister(h, 32, 0x100));       //= register flags 1 1
    check("attribute", cudaDeviceGetAttribute(&n, (cudaDeviceAttr)999, 0)); //= attribute 1 1
    check("peer", cudaDeviceCanAccessPeer(&n, 0, 5));              //= peer 101 101
    check("no kernel", cudaLaunchKernel((const void *)check, 1, 1, nullptr, 0, 0)); //= no kernel 400 400
    check("no threads", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, nothing, 0, 0)); //= no threads 1 1
    check("direction", cudaMemcpyToSymbol(symbol, h, 8, 0, cudaMemcpyDeviceToHost)); //= direction 21 21 //! failed-call
    check("pitch", cudaMemset2D(d, 8, 0, 12, 2));                  //= pitch 1 1
    check("carveout", cudaFuncSetAttribute(nothing, cudaFuncAttributePreferredSharedMemoryCarveout, 50)); //= carveout 0 0
    cudaFuncGetAttributes(&a, nothing);
    printf("%d\n", a.preferredShmemCarveout); //= 50
    check("advice", cudaMemAdvise(m, 4096, cudaMemAdviseSetAccessedBy, cpu)); //= advice 0 0
    check("prefetch", cudaMemPrefetchAsync(m, 1 << 20, gpu, 0));   //= prefetch 1 1 //! failed-call
    cudaMemAdvise(m, 4096, cudaMemAdviseSetPreferredLocation, gpu), cudaMemPrefetchAsync(m, 4096, cpu, 0);
    cudaMemRangeGetAttribute(w, 4, cudaMemRangeAttributePreferredLocation, m, 4096);
    cudaMemRangeGetAttribute(w + 1, 4, cudaMemRangeAttributeLastPrefetchLocation, m, 4096);
    cudaMemRangeGetAttribute(w + 2, 4, cudaMemRangeAttributeReadMostly, m, 4096);
    printf("%d %d %d\n", w[0], w[1], w[2]); //= 0 -1 0
    cudaMemRangeGetAttribute(w, 12, cudaMemRangeAttributeAccessedBy, m, 4096);
    printf("%d %d %d\n", w[0], w[1], w[2]);                        //= -1 -2 -2
    check("graph flags", cudaGraphCreate(&g, 1));                  //= graph flags 1 1
    cudaGraphCreate(&g, 0), cudaGraphCreate(&child, 0), cudaGraphAddEmptyNode(&empty, g, nullptr, 0);
    cudaGraphAddChildGraphNode(&inner, g, &empty, 1, child);
    check("itself", cudaGraphAddDependencies(g, &empty, &empty, nullptr, 1)); //= itself 1 1
    check("twice", cudaGraphAddDependencies(g, &empty, &inner, nullptr, 1)); //= twice 1 1
    cudaGraphInstantiate(&x, g, 0);
    check("skipped", cudaGraphNodeSetEnabled(x, inner, 0));        //= skipped 1 1
    check("legacy", cudaStreamBeginCapture(cudaStreamLegacy, cudaStreamCaptureModeGlobal)); //= legacy 900 900 //! failed-call
    cudaGraphExecDestroy(x), cudaGraphDestroy(g), cudaGraphDestroy(child), cudaFree(d), cudaFree(m);
} //$ 0
