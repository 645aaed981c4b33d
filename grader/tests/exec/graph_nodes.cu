// A graph built node by node: kernels, copies, fills, a host function and a child graph. Edges are added later, and parameters change.
#include <cstdio>
__global__ void add(int *p, int x) { p[threadIdx.x] += x; }
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }
static int calls;
static void on_host(void *data) { calls += *(int *)data; }
int main() {
    int *d, h[4] = {0, 0, 0, 0}, one = 1, three = 3, seven = 7;
    cudaMalloc(&d, sizeof h);
    cudaGraph_t inner, g, copy;
    cudaGraphNode_t fill, plus, doubled, child, back, host, node[8];
    cudaGraphCreate(&inner, 0);
    void *none[] = {&d}, *with[] = {&d, &three};
    cudaKernelNodeParams k = {};
    k.func = (void *)twice, k.gridDim = dim3(1), k.blockDim = dim3(4), k.kernelParams = none;
    cudaGraphAddKernelNode(&doubled, inner, nullptr, 0, &k);

    cudaGraphCreate(&g, 0);
    cudaGraphAddMemcpyNode1D(&back, g, nullptr, 0, h, d, sizeof h, cudaMemcpyDeviceToHost); // added first, runs last
    cudaMemsetParams f = {};
    f.dst = d, f.value = 5, f.elementSize = 4, f.width = 4, f.height = 1;
    cudaGraphAddMemsetNode(&fill, g, nullptr, 0, &f);
    k.func = (void *)add, k.kernelParams = with;
    cudaGraphAddKernelNode(&plus, g, &fill, 1, &k);
    cudaGraphAddChildGraphNode(&child, g, &plus, 1, inner);
    cudaHostNodeParams call = {on_host, &one};
    cudaGraphAddHostNode(&host, g, nullptr, 0, &call);
#if CUDART_VERSION >= 13000
    cudaGraphAddDependencies(g, &child, &back, nullptr, 1);
#else
    cudaGraphAddDependencies(g, &child, &back, 1);
#endif
    size_t count = 8;
    cudaGraphGetNodes(g, node, &count);
    cudaGraphNodeType type;
    cudaGraphNodeGetType(node[1], &type);
    printf("%zu %d\n", count, type == cudaGraphNodeTypeMemset); //= 5 1
    cudaGraphExec_t e;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaGraphInstantiate(&e, g, 0);
    three = 1000; // the node holds a copy of its value
    cudaGraphLaunch(e, s), cudaStreamSynchronize(s);
    printf("%d %d\n", h[3], calls); //= 16 1
    with[1] = &seven;
    cudaGraphExecKernelNodeSetParams(e, plus, &k);
    cudaGraphLaunch(e, s), cudaGraphLaunch(e, s), cudaStreamSynchronize(s);
    printf("%d %d\n", h[0], calls); //= 24 3
    cudaGraphClone(&copy, g);
    cudaGraphExec_t again;
    cudaGraphInstantiate(&again, copy, 0);
    cudaGraphLaunch(again, s), cudaStreamSynchronize(s);
    printf("%d\n", h[0]); //= 16
    cudaGraphExecUpdateResultInfo info;
    cudaGraphExecUpdate(again, copy, &info);
    cudaGraphLaunch(again, s), cudaGraphExecChildGraphNodeSetParams(e, child, inner), cudaGraphLaunch(e, s);
    cudaStreamSynchronize(s);
    printf("%d %d\n", h[0], info.result == cudaGraphExecUpdateSuccess); //= 24 1
    cudaGraphAddEmptyNode(&node[0], copy, nullptr, 0);
    cudaGraphAddEmptyNode(&node[1], copy, &node[0], 1);
#if CUDART_VERSION >= 13000
    cudaGraphAddDependencies(copy, &node[1], &node[0], nullptr, 1);
#else
    cudaGraphAddDependencies(copy, &node[1], &node[0], 1);
#endif
    const bool cycle = cudaGraphInstantiate(&again, copy, 0) == cudaErrorInvalidValue; //! failed-call
    printf("%d\n", cycle); //= 1
    cudaGraphExecDestroy(e), cudaGraphDestroy(g), cudaGraphDestroy(copy), cudaGraphDestroy(inner);
    cudaStreamDestroy(s), cudaFree(d);
}
