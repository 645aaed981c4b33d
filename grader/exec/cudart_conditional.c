/* Conditional nodes of graphs. A handle is the address of a value in device memory. Kernels set the value with
 * cudaGraphSetConditional(), and a launch of the graph reads it when it reaches the node. */
#include "exec/cudart_graph.h"

#if CUDART_VERSION >= 12030
struct condition {
    cudaGraphConditionalHandle handle;
    unsigned value; /* at the start of each launch, if `assigned` */
    bool assigned;
    struct condition *next;
};
static struct condition *list;

cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle *handle, cudaGraph_t graph, unsigned value,
                                             unsigned flags) {
    static const char call[] = "cudaGraphConditionalHandleCreate";
    void *memory = NULL;
    if (!handle || !cudart_graph(graph)) return cudart_invalid(call);
    cudaError_t error = cudart_allocate(call, &memory, sizeof value, EXEC_ON_DEVICE);
    if (!error) error = cudart_lend(call, memory);
    if (!error) error = cudart_copy_bytes(call, memory, &(unsigned){0}, sizeof value, cudaMemcpyHostToDevice, 0, false);
    if (error) return error;
    struct condition *c = cudart_room(1, sizeof *c);
    *c = (struct condition){(uintptr_t)memory, value, flags == cudaGraphCondAssignDefault, list};
    list = c, *handle = c->handle;
    return cudaSuccess;
}
static const struct condition *find(cudaGraphConditionalHandle handle) {
    const struct condition *c = list;
    while (c && c->handle != handle) c = c->next;
    return c;
}
cudaError_t cudart_keep_condition(const char *call, struct node *n, struct cudaConditionalNodeParams *p) {
    const unsigned most = p->type == cudaGraphCondTypeWhile ? 1 : p->type == cudaGraphCondTypeIf ? 2 : UINT32_MAX;
    if (n->bodies || !find(p->handle) || !p->size || p->size > most)
        return cudart_refuse(
            call, cudaErrorInvalidValue,
            "A conditional node needs a handle of its graph and one body; `if` may have two, and `switch` "
            "any number.");
    p->phGraph_out = cudart_room(p->size, sizeof *p->phGraph_out);
    n->body = cudart_room(p->size, sizeof(struct graph *)), n->bodies = p->size;
    for (unsigned k = 0; k < p->size; k++)
        n->body[k] = cudart_graph_new(), p->phGraph_out[k] = (cudaGraph_t)(void *)n->body[k];
    n->condition.handle = p->handle, n->condition.type = p->type;
    return cudaSuccess;
}
cudaError_t cudart_assign_conditions(const struct graph *g, cudaStream_t stream) {
    cudaError_t error = cudaSuccess;
    for (unsigned k = 0; k < g->count && !error; k++) {
        const struct node *n = g->node[k];
        for (unsigned b = 0; b < n->bodies && !error; b++) error = cudart_assign_conditions(n->body[b], stream);
        const struct condition *c = n->type == cudaGraphNodeTypeConditional ? find(n->condition.handle) : NULL;
        if (c && c->assigned && !error)
            error = cudart_copy_bytes("cudaGraphLaunch", (void *)c->handle, &c->value, sizeof c->value,
                                      cudaMemcpyHostToDevice, stream, true);
    }
    return error;
}
struct graph *cudart_condition_body(const struct node *n, cudaStream_t stream, cudaError_t *error) {
    unsigned value = 0;
    *error = cudart_copy_bytes("cudaGraphLaunch", &value, (const void *)n->condition.handle, sizeof value,
                               cudaMemcpyDeviceToHost, stream, true);
    const unsigned body = n->condition.type == cudaGraphCondTypeSwitch ? value : !value;
    return !*error && body < n->bodies ? n->body[body] : NULL;
}
#endif
