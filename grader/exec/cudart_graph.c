/* Graphs. Captured graphs are stored by the simulator, and their handles are small numbers. Graphs that a program
 * builds node by node are stored by this library. Launching one makes the calls of its nodes in an order that the
 * edges allow. */
#include "exec/cudart.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct graph;
struct node {
    enum cudaGraphNodeType type;
    struct graph *graph;
    struct node *origin; /* in an executable graph: the original of this copy */
    struct node **after; /* predecessors */
    unsigned afters, place;
    bool done;
    union {
        struct cudaKernelNodeParams kernel; /* `kernelParams` points to a copy of the program's arguments */
        struct cudaMemcpy3DParms copy;
        struct {
            void *to;
            const void *from;
            size_t bytes;
            enum cudaMemcpyKind kind;
        } line;
        struct cudaMemsetParams fill;
        struct cudaHostNodeParams host;
        cudaGraph_t child;
    };
    bool is_line; /* the node is from cudaGraphAddMemcpyNode1D() */
};
struct graph {
    struct node **node;
    unsigned count, room;
    struct graph *next;
};
static struct graph *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct graph *own(const void *handle) {
    pthread_mutex_lock(&lock);
    struct graph *g = list;
    while (g && g != handle) g = g->next;
    pthread_mutex_unlock(&lock);
    return g;
}
static struct graph *built(const char *call, const void *handle) {
    struct graph *g = own(handle);
    if (!g) cudart_missing(call); /* captured graphs cannot be changed or inspected */
    return g;
}
static void *room(size_t count, size_t size) {
    void *p = calloc(count + 1, size);
    if (!p) abort();
    return p;
}
static struct graph *new_graph(void) {
    struct graph *g = room(1, sizeof *g);
    pthread_mutex_lock(&lock);
    g->next = list, list = g;
    pthread_mutex_unlock(&lock);
    return g;
}

/* ---- nodes ------------------------------------------------------------------------------------------ */
/* Replaces the node's parameters by a copy of p. */
static cudaError_t keep_kernel(const char *call, struct node *n, const struct cudaKernelNodeParams *p) {
    cudaError_t error;
    const struct exec_kernel *k = cudart_kernel(call, p->func, &error);
    if (!k) return error;
    if (!p->kernelParams && k->parameters) return cudart_refuse(call, cudaErrorInvalidValue, "it has no kernelParams");
    n->kernel = *p, n->kernel.extra = NULL, n->kernel.kernelParams = room(k->parameters, sizeof(void *));
    for (uint32_t a = 0; a < k->parameters; a++)
        n->kernel.kernelParams[a] = memcpy(room(k->bytes[a], 1), p->kernelParams[a], k->bytes[a]);
    return cudaSuccess;
}
static cudaError_t add(cudaGraphNode_t *handle, struct graph *g, const cudaGraphNode_t *after, size_t afters,
                       struct node *n) {
    if (g->count == g->room) {
        g->room = 2 * g->room + 8;
        if (!(g->node = realloc(g->node, g->room * sizeof *g->node))) abort();
    }
    n->graph = g, n->place = g->count;
    n->after = room(afters, sizeof *n->after);
    for (n->afters = 0; n->afters < afters; n->afters++) n->after[n->afters] = (struct node *)(void *)after[n->afters];
    g->node[g->count++] = n;
    *handle = (cudaGraphNode_t)(void *)n;
    return cudaSuccess;
}
static struct node *new_node(enum cudaGraphNodeType type) {
    struct node *n = room(1, sizeof *n);
    n->type = type;
    return n;
}
static cudaError_t add_kernel(const char *call, cudaGraphNode_t *handle, cudaGraph_t graph,
                              const cudaGraphNode_t *after, size_t afters, const struct cudaKernelNodeParams *p) {
    struct node *n = new_node(cudaGraphNodeTypeKernel);
    const cudaError_t error = keep_kernel(call, n, p);
    return error ? error : add(handle, built(call, graph), after, afters, n);
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *handle, cudaGraph_t graph, const cudaGraphNode_t *after,
                                   size_t afters, const struct cudaKernelNodeParams *p) {
    return add_kernel("cudaGraphAddKernelNode", handle, graph, after, afters, p);
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *handle, cudaGraph_t graph, const cudaGraphNode_t *after,
                                   size_t afters, const struct cudaMemcpy3DParms *p) {
    struct node *n = new_node(cudaGraphNodeTypeMemcpy);
    n->copy = *p;
    return add(handle, built("cudaGraphAddMemcpyNode", graph), after, afters, n);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *handle, cudaGraph_t graph, const cudaGraphNode_t *after,
                                     size_t afters, void *to, const void *from, size_t bytes,
                                     enum cudaMemcpyKind kind) {
    struct node *n = new_node(cudaGraphNodeTypeMemcpy);
    n->is_line = true, n->line.to = to, n->line.from = from, n->line.bytes = bytes, n->line.kind = kind;
    return add(handle, built("cudaGraphAddMemcpyNode1D", graph), after, afters, n);
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *handle, cudaGraph_t graph, const cudaGraphNode_t *after,
                                   size_t afters, const struct cudaMemsetParams *p) {
    struct node *n = new_node(cudaGraphNodeTypeMemset);
    n->fill = *p;
    return add(handle, built("cudaGraphAddMemsetNode", graph), after, afters, n);
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *handle, cudaGraph_t graph, const cudaGraphNode_t *after,
                                 size_t afters, const struct cudaHostNodeParams *p) {
    struct node *n = new_node(cudaGraphNodeTypeHost);
    n->host = *p;
    return add(handle, built("cudaGraphAddHostNode", graph), after, afters, n);
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *handle, cudaGraph_t graph, const cudaGraphNode_t *after,
                                  size_t afters) {
    return add(handle, built("cudaGraphAddEmptyNode", graph), after, afters, new_node(cudaGraphNodeTypeEmpty));
}
static void *copy_graph(struct graph *from);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *handle, cudaGraph_t graph, const cudaGraphNode_t *after,
                                       size_t afters, cudaGraph_t child) {
    struct node *n = new_node(cudaGraphNodeTypeGraph);
    n->child = own(child) ? (cudaGraph_t)copy_graph(own(child)) : child;
    return add(handle, built("cudaGraphAddChildGraphNode", graph), after, afters, n);
}
#if CUDART_VERSION >= 12020
#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddNode(cudaGraphNode_t *handle, cudaGraph_t graph, const cudaGraphNode_t *after,
                             const cudaGraphEdgeData *edges, size_t afters, struct cudaGraphNodeParams *p) {
#else
cudaError_t cudaGraphAddNode(cudaGraphNode_t *handle, cudaGraph_t graph, const cudaGraphNode_t *after, size_t afters,
                             struct cudaGraphNodeParams *p) {
#endif
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return add_kernel("cudaGraphAddNode", handle, graph, after, afters,
                          &(struct cudaKernelNodeParams){.func = p->kernel.func,
                                                         .gridDim = p->kernel.gridDim,
                                                         .blockDim = p->kernel.blockDim,
                                                         .sharedMemBytes = p->kernel.sharedMemBytes,
                                                         .kernelParams = p->kernel.kernelParams});
    case cudaGraphNodeTypeMemcpy: return cudaGraphAddMemcpyNode(handle, graph, after, afters, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return cudaGraphAddMemsetNode(handle, graph, after, afters,
                                      &(struct cudaMemsetParams){.dst = p->memset.dst,
                                                                 .pitch = p->memset.pitch,
                                                                 .value = p->memset.value,
                                                                 .elementSize = p->memset.elementSize,
                                                                 .width = p->memset.width,
                                                                 .height = p->memset.height});
    case cudaGraphNodeTypeHost:
        return cudaGraphAddHostNode(handle, graph, after, afters,
                                    &(struct cudaHostNodeParams){.fn = p->host.fn, .userData = p->host.userData});
    case cudaGraphNodeTypeGraph: return cudaGraphAddChildGraphNode(handle, graph, after, afters, p->graph.graph);
    case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(handle, graph, after, afters);
    default: cudart_missing("cudaGraphAddNode with a node of this type");
    }
}
#endif
#if CUDART_VERSION >= 13000
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     const cudaGraphEdgeData *edges, size_t count) {
#else
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                                     size_t count) {
#endif
    built("cudaGraphAddDependencies", graph);
    for (size_t k = 0; k < count; k++) {
        struct node *n = (struct node *)(void *)to[k];
        if (!(n->after = realloc(n->after, (n->afters + 1) * sizeof *n->after))) abort();
        n->after[n->afters++] = (struct node *)(void *)from[k];
    }
    return cudaSuccess;
}

/* ---- reading and changing graphs --------------------------------------------------------------------- */
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
    *type = ((struct node *)(void *)node)->type;
    return cudaSuccess;
}
static cudaError_t nodes(const struct graph *g, bool roots, cudaGraphNode_t *out, size_t *count) {
    size_t found = 0;
    for (unsigned k = 0; k < g->count; k++) {
        if (roots && g->node[k]->afters) continue;
        if (out && found < *count) out[found] = (cudaGraphNode_t)(void *)g->node[k];
        found++;
    }
    if (!out || found < *count) *count = found;
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *out, size_t *count) {
    return nodes(built("cudaGraphGetNodes of a captured graph", graph), false, out, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *out, size_t *count) {
    return nodes(built("cudaGraphGetRootNodes of a captured graph", graph), true, out, count);
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *p) {
    *p = ((struct node *)(void *)node)->kernel;
    return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *p) {
    return keep_kernel("cudaGraphKernelNodeSetParams", (struct node *)(void *)node, p);
}
/* Returns the executable graph's copy of a node. */
static struct node *copy_of(const char *call, cudaGraphExec_t graph, cudaGraphNode_t node) {
    const struct graph *g = built(call, graph);
    for (unsigned k = 0; k < g->count; k++)
        if (g->node[k]->origin == (struct node *)(void *)node) return g->node[k];
    return NULL;
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                             const struct cudaKernelNodeParams *p) {
    struct node *n = copy_of("cudaGraphExecKernelNodeSetParams", graph, node);
    return n ? keep_kernel("cudaGraphExecKernelNodeSetParams", n, p)
             : cudart_refuse("cudaGraphExecKernelNodeSetParams", cudaErrorInvalidValue, "it has no such node");
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t graph, cudaGraphNode_t node, void *to, const void *from,
                                               size_t bytes, enum cudaMemcpyKind kind) {
    struct node *n = copy_of("cudaGraphExecMemcpyNodeSetParams1D", graph, node);
    if (!n) return cudart_refuse("cudaGraphExecMemcpyNodeSetParams1D", cudaErrorInvalidValue, "it has no such node");
    n->is_line = true, n->line.to = to, n->line.from = from, n->line.bytes = bytes, n->line.kind = kind;
    return cudaSuccess;
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                             const struct cudaMemsetParams *p) {
    struct node *n = copy_of("cudaGraphExecMemsetNodeSetParams", graph, node);
    if (!n) return cudart_refuse("cudaGraphExecMemsetNodeSetParams", cudaErrorInvalidValue, "it has no such node");
    n->fill = *p;
    return cudaSuccess;
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t graph, cudaGraphNode_t node,
                                           const struct cudaHostNodeParams *p) {
    struct node *n = copy_of("cudaGraphExecHostNodeSetParams", graph, node);
    if (!n) return cudart_refuse("cudaGraphExecHostNodeSetParams", cudaErrorInvalidValue, "it has no such node");
    n->host = *p;
    return cudaSuccess;
}

/* ---- whole graphs ----------------------------------------------------------------------------------- */
/* Copies a graph. The copy shares the arguments of the nodes, so no part of a graph is ever freed. */
static void *copy_graph(struct graph *from) {
    struct graph *g = new_graph();
    for (unsigned k = 0; k < from->count; k++) {
        cudaGraphNode_t handle;
        struct node *n = memcpy(room(1, sizeof *n), from->node[k], sizeof *n);
        n->origin = from->node[k];
        if (n->type == cudaGraphNodeTypeGraph && own(n->child)) n->child = copy_graph(own(n->child));
        add(&handle, g, NULL, 0, n);
    }
    for (unsigned k = 0; k < from->count; k++) {
        const struct node *old = from->node[k];
        struct node *n = g->node[k];
        n->after = room(old->afters, sizeof *n->after);
        for (n->afters = 0; n->afters < old->afters; n->afters++)
            n->after[n->afters] = g->node[old->after[n->afters]->place];
    }
    return g;
}
/* Returns a node that has not run but whose predecessors have. Returns NULL if there is none, because all nodes have
 * run or the rest is a cycle. */
static struct node *ready(const struct graph *g) {
    for (unsigned k = 0; k < g->count; k++) {
        bool free = !g->node[k]->done;
        for (unsigned n = 0; n < g->node[k]->afters; n++) free &= g->node[k]->after[n]->done;
        if (free) return g->node[k];
    }
    return NULL;
}
static bool has_cycle(const struct graph *g) {
    unsigned done = 0;
    for (struct node *n; (n = ready(g)); done++) n->done = true;
    for (unsigned k = 0; k < g->count; k++) g->node[k]->done = false;
    return done < g->count;
}
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
    *graph = (cudaGraph_t)(void *)new_graph();
    return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t graph) {
    *copy = own(graph) ? (cudaGraph_t)copy_graph(own(graph)) : graph;
    return cudaSuccess;
}
static cudaError_t instantiate(const char *call, cudaGraphExec_t *made, cudaGraph_t graph) {
    struct graph *g = own(graph);
    if (g && has_cycle(g)) return cudart_refuse(call, cudaErrorInvalidValue, "its edges form a cycle");
    *made = g ? (cudaGraphExec_t)copy_graph(g) : (cudaGraphExec_t)(void *)graph;
    return cudaSuccess;
}
#if CUDART_VERSION >= 12000
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph, unsigned long long flags) {
#else
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph, cudaGraphNode_t *node, char *log,
                                 size_t size) {
#endif
    return instantiate("cudaGraphInstantiate", made, graph);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *made, cudaGraph_t graph, unsigned long long flags) {
    return instantiate("cudaGraphInstantiateWithFlags", made, graph);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t graph, cudaStream_t stream) { return cudaSuccess; }
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return cudaSuccess; }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) { return cudaSuccess; }

/* ---- launches --------------------------------------------------------------------------------------- */
static cudaError_t fill(const struct cudaMemsetParams *p, cudaStream_t stream) {
    const size_t height = p->height ? p->height : 1, pitch = height > 1 ? p->pitch : p->width * p->elementSize;
    return cudart_fill(&(struct cudart_fill){"cudaMemset2DAsync", p->dst, pitch, p->width, height, p->value,
                                             p->elementSize, stream, true});
}
static cudaError_t run(struct node *n, cudaStream_t stream) {
    switch (n->type) {
    case cudaGraphNodeTypeKernel:
        return cudaLaunchKernel(n->kernel.func, n->kernel.gridDim, n->kernel.blockDim, n->kernel.kernelParams,
                                n->kernel.sharedMemBytes, stream);
    case cudaGraphNodeTypeMemcpy:
        return n->is_line ? cudaMemcpyAsync(n->line.to, n->line.from, n->line.bytes, n->line.kind, stream)
                          : cudaMemcpy3DAsync(&n->copy, stream);
    case cudaGraphNodeTypeMemset: return fill(&n->fill, stream);
    case cudaGraphNodeTypeHost: return cudaLaunchHostFunc(stream, n->host.fn, n->host.userData);
    case cudaGraphNodeTypeGraph: return cudaGraphLaunch((cudaGraphExec_t)(void *)n->child, stream);
    default: return cudaSuccess;
    }
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    const struct graph *g = own(graph);
    cudaError_t error = cudaSuccess;
    if (!g) {
        struct ask q = {
            .call = "cudaGraphLaunch", .op = EXEC_GRAPH, .a = {(uintptr_t)graph, (uintptr_t)stream}, .prints = true};
        return cudart_ask(&q);
    }
    for (struct node *n; !error && (n = ready(g));) error = run(n, stream), n->done = true;
    for (unsigned k = 0; k < g->count; k++) g->node[k]->done = false;
    return error;
}
