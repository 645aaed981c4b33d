// Conditional nodes of graphs: if, if-else, switch, and a while node that contains an if node. The output is that of an H100.
//> 90
#include <cstdio>
__global__ void choose(cudaGraphConditionalHandle h, const int *value) { cudaGraphSetConditional(h, *value); }
__global__ void add(int *sum, int n) { *sum += n; }
__global__ void count_down(int *n, cudaGraphConditionalHandle h) {
    --*n;
    cudaGraphSetConditional(h, *n > 0);
}
static cudaGraphNode_t kernel(cudaGraph_t g, const cudaGraphNode_t *after, void *function, void **arguments) {
    cudaGraphNode_t node;
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeKernel;
    p.kernel.func = function, p.kernel.gridDim = p.kernel.blockDim = dim3(1), p.kernel.kernelParams = arguments;
    cudaGraphAddNode(&node, g, after, nullptr, after ? 1 : 0, &p);
    return node;
}
static int conditional(cudaGraph_t **body, cudaGraphNode_t *node, cudaGraph_t g, const cudaGraphNode_t *after, cudaGraphConditionalHandle h,
                       cudaGraphConditionalNodeType type, unsigned size) {
    cudaGraphNodeParams p = {};
    p.type = cudaGraphNodeTypeConditional;
    p.conditional.handle = h, p.conditional.type = type, p.conditional.size = size;
    int error = cudaGraphAddNode(node, g, after, nullptr, after ? 1 : 0, &p); //! failed-call
    *body = p.conditional.phGraph_out;
    return error;
}
static int *value, *sum, ten = 10, hundred = 100, one = 1;
static int launch(cudaGraphExec_t e, int start) {
    int result;
    cudaMemcpy(value, &start, 4, cudaMemcpyHostToDevice), cudaMemset(sum, 0, 4);
    cudaGraphLaunch(e, 0);
    cudaMemcpy(&result, sum, 4, cudaMemcpyDeviceToHost);
    return result;
}
static void *add_ten[] = {&sum, &ten}, *add_hundred[] = {&sum, &hundred}, *add_one[] = {&sum, &one};
static void test(cudaGraphConditionalNodeType type, unsigned size) {
    cudaGraph_t g, *body;
    cudaGraphExec_t e;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle h;
    cudaGraphCreate(&g, 0), cudaGraphConditionalHandleCreate(&h, g, 0, 0);
    void *arguments[] = {&h, &value};
    cudaGraphNode_t first = kernel(g, nullptr, (void *)choose, arguments);
    conditional(&body, &node, g, &first, h, type, size);
    void **work[] = {add_ten, add_hundred, add_one};
    for (unsigned k = 0; k < size; k++) kernel(body[k], nullptr, (void *)add, work[k]);
    kernel(g, &node, (void *)add, add_one);
    cudaGraphInstantiate(&e, g, 0);
    for (int k = 0; k < 4; k++) printf("%d%c", launch(e, k), k < 3 ? ' ' : '\n');
    cudaGraphExecDestroy(e), cudaGraphDestroy(g);
}
int main() {
    cudaMalloc(&value, 4), cudaMalloc(&sum, 4);
    test(cudaGraphCondTypeIf, 1);     //= 1 11 11 11
    test(cudaGraphCondTypeIf, 2);     //= 101 11 11 11
    test(cudaGraphCondTypeSwitch, 3); //= 11 101 2 1
    cudaGraph_t g, *body, *inner, copy;
    cudaGraphExec_t e;
    cudaGraphNode_t loop, branch;
    cudaGraphConditionalHandle go, add_now;
    cudaGraphCreate(&g, 0);
    cudaGraphConditionalHandleCreate(&go, g, 1, cudaGraphCondAssignDefault), cudaGraphConditionalHandleCreate(&add_now, g, 0, cudaGraphCondAssignDefault);
    conditional(&body, &loop, g, nullptr, go, cudaGraphCondTypeWhile, 1);
    void *down[] = {&value, &go}, *set[] = {&add_now, &value};
    cudaGraphNode_t k1 = kernel(body[0], nullptr, (void *)count_down, down), k2 = kernel(body[0], &k1, (void *)choose, set);
    conditional(&inner, &branch, body[0], &k2, add_now, cudaGraphCondTypeIf, 1);
    kernel(inner[0], nullptr, (void *)add, add_ten);
    cudaGraphInstantiate(&e, g, 0);
    printf("%d", launch(e, 5));
    printf(" %d\n", launch(e, 3)); //= 40 20
    printf("no handle %d", conditional(&inner, &branch, g, nullptr, 0, cudaGraphCondTypeIf, 1));
    printf(", if of 3 %d", conditional(&inner, &branch, g, nullptr, go, cudaGraphCondTypeIf, 3));
    printf(", clone %d\n", cudaGraphClone(&copy, g)); //! failed-call
    //= no handle 1, if of 3 1, clone 801
    cudaGraphExecDestroy(e), cudaGraphDestroy(g), cudaFree(value), cudaFree(sum);
}
