// Graphs: copies to and from symbols, memory nodes, event nodes, removed edges, disabled nodes, nodes of a clone, user objects.
#include <cstdio>
#include <unistd.h>
__device__ int counter;
__global__ void add(int x) { counter += x; }
static volatile int destroyed;
static void destroy(void *data) { destroyed = destroyed + *(int *)data; }
int main() {
    int start = 100, end = 0, five = 5, one = 1;
    cudaGraph_t g, copy, own;
    cudaGraphNode_t in, plus, out, recorded, memory, freed, twin, from[4];
    cudaEvent_t done;
    cudaGraphCreate(&g, 0), cudaEventCreate(&done);
    void *with[] = {&five};
    cudaKernelNodeParams k = {}, read = {};
    k.func = (void *)add, k.gridDim = dim3(1), k.blockDim = dim3(1), k.kernelParams = with;
    cudaGraphAddMemcpyNodeToSymbol(&in, g, nullptr, 0, counter, &start, sizeof start, 0, cudaMemcpyHostToDevice);
    cudaGraphAddKernelNode(&plus, g, &in, 1, &k);
    cudaGraphAddMemcpyNodeFromSymbol(&out, g, &plus, 1, &end, counter, sizeof end, 0, cudaMemcpyDeviceToHost);
    cudaGraphAddEventRecordNode(&recorded, g, &out, 1, done);
    cudaMemAllocNodeParams room = {};
    room.bytesize = 64, room.poolProps.allocType = cudaMemAllocationTypePinned;
    room.poolProps.location.type = cudaMemLocationTypeDevice;
    cudaGraphAddMemAllocNode(&memory, g, nullptr, 0, &room);
    cudaGraphAddMemFreeNode(&freed, g, &memory, 1, room.dptr);
    cudaGraphKernelNodeGetParams(plus, &read);
    printf("%d %d\n", read.func == (void *)add, *(int *)read.kernelParams[0]); //= 1 5
    size_t count = 4;
#if CUDART_VERSION >= 13000
    cudaGraphNodeGetDependencies(out, from, nullptr, &count);
#else
    cudaGraphNodeGetDependencies(out, from, &count);
#endif
    printf("%zu %d\n", count, from[0] == plus); //= 1 1

    cudaUserObject_t object;
    cudaUserObjectCreate(&object, &one, destroy, 1, cudaUserObjectNoDestructorSync);
    cudaGraphRetainUserObject(g, object, 1, cudaGraphUserObjectMove);

    cudaGraphExec_t e;
    cudaStream_t s;
    cudaStreamCreate(&s), cudaGraphInstantiate(&e, g, 0);
    cudaGraphLaunch(e, s), cudaEventSynchronize(done);
    printf("%d\n", end); //= 105
    cudaGraphNodeSetEnabled(e, plus, 0);
    cudaGraphLaunch(e, s), cudaStreamSynchronize(s);
    printf("%d\n", end); //= 100
    // A graph that allocates memory cannot be cloned, and none of its nodes can be removed.
    printf("%d %d\n", cudaGraphClone(&copy, g), cudaGraphDestroyNode(recorded)); //= 801 801 //! failed-call
    cudaGraphCreate(&own, 0);
    cudaGraphAddKernelNode(&plus, own, nullptr, 0, &k), cudaGraphAddEventRecordNode(&recorded, own, &plus, 1, done);
    cudaGraphClone(&copy, own);
    cudaGraphNodeFindInClone(&twin, plus, copy);
    cudaGraphDestroyNode(twin);
    cudaGraphGetNodes(copy, nullptr, &count);
    printf("%zu\n", count); //= 1
    const bool none = cudaGraphDestroyNode(nullptr) == cudaErrorInvalidValue;
    printf("%d\n", none); //= 1
    cudaGraphDestroy(g), cudaGraphDestroy(copy), cudaGraphDestroy(own);
    printf("%d", destroyed), cudaGraphExecDestroy(e);
    for (int k = 0; k < 1000 && !destroyed; k++) usleep(1000); // another thread may call destroy()
    printf("%d\n", destroyed); //= 01
    cudaStreamDestroy(s), cudaEventDestroy(done);
}
