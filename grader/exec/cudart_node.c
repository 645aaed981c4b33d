/* Nodes of graphs: their creation, edges and parameters. */
#include "exec/cudart_graph.h"
#include <stdlib.h>
#include <string.h>

#if CUDART_VERSION >= 13000
#define EDGES(name) , name
#else
#define EDGES(name)
#endif

/* ---- creation ---------------------------------------------------------------------------------- */
struct node *cudart_node_new(enum cudaGraphNodeType type) {
    struct node *n = cudart_room(1, sizeof *n);
    n->type = type;
    return n;
}
static bool follows(const struct node *n, const struct node *from) {
    for (unsigned k = 0; k < n->afters; k++)
        if (n->after[k] == from) return true;
    return false;
}
static void follow(struct node *n, struct node *from) {
    if (follows(n, from)) return;
    if (!(n->after = realloc(n->after, (n->afters + 1) * sizeof *n->after))) abort();
    n->after[n->afters++] = from;
}
bool cudart_node_cut(struct node *n, const struct node *from) {
    unsigned left = 0;
    for (unsigned k = 0; k < n->afters; k++)
        if (n->after[k] != from) n->after[left++] = n->after[k];
    const bool had = left < n->afters;
    n->afters = left;
    return had;
}
cudaError_t cudart_node_add(const char *call, cudaGraphNode_t *handle, struct graph *g, const cudaGraphNode_t *after,
                            size_t afters, struct node *n) {
    if (!g || (afters && !after)) {
        free(n);
        return cudart_invalid(call);
    }
    if (g->count == g->room) {
        g->room = 2 * g->room + 8;
        if (!(g->node = realloc(g->node, g->room * sizeof *g->node))) abort();
    }
    n->graph = g, n->place = g->count;
    for (size_t k = 0; k < afters; k++) follow(n, cudart_node(after[k]));
    cudart_site(&n->site);
    g->node[g->count++] = n;
    if (handle) *handle = cudart_node_handle(n);
    return cudaSuccess;
}

/* ---- parameters by type; keep_NAME() replaces those of a node, if the node has the right type ---- */
static bool is(const struct node *n, enum cudaGraphNodeType type) { return n && n->type == type; }
void cudart_keep_launch(struct node *n, const struct cudart_launch *l) {
    const struct exec_kernel *k = l->kernel;
    n->kernel.launch = *l;
    n->kernel.launch.arguments = cudart_room(k->parameters, sizeof(void *));
    for (uint32_t a = 0; a < k->parameters; a++)
        n->kernel.launch.arguments[a] = memcpy(cudart_room(k->bytes[a], 1), l->arguments[a], k->bytes[a]);
}
static cudaError_t keep_kernel(const char *call, struct node *n, const struct cudaKernelNodeParams *p) {
    cudaError_t error;
    if (!is(n, cudaGraphNodeTypeKernel) || !p) return cudart_invalid(call);
    const struct exec_kernel *k = cudart_kernel(call, p->func, &error);
    if (!k) return error;
    if (!p->kernelParams && k->parameters)
        return cudart_refuse(call, cudaErrorInvalidValue, "The kernel has parameters, but kernelParams is NULL.");
    cudart_keep_launch(n, &(struct cudart_launch){.call = "cudaGraphLaunch",
                                                  .function = p->func,
                                                  .kernel = k,
                                                  .grid = p->gridDim,
                                                  .block = p->blockDim,
                                                  .arguments = p->kernelParams,
                                                  .shared = p->sharedMemBytes,
                                                  .cluster = n->kernel.launch.cluster,
                                                  .cooperative = n->kernel.launch.cooperative});
    return cudaSuccess;
}
static cudaError_t keep_box(const char *call, struct node *n, const struct cudaMemcpy3DParms *p) {
    if (!is(n, cudaGraphNodeTypeMemcpy) || !p) return cudart_invalid(call);
    n->copy.is_box = true, n->copy.box = *p;
    return cudaSuccess;
}
/* A copy of bytes. */
struct bytes {
    void *to;
    const void *from;
    size_t bytes;
    enum cudaMemcpyKind kind;
};
static cudaError_t keep_bytes(const char *call, struct node *n, const struct bytes *b) {
    if (!is(n, cudaGraphNodeTypeMemcpy)) return cudart_invalid(call);
    n->copy.is_box = false;
    n->copy.rows = (struct cudart_copy){.call = "cudaGraphLaunch",
                                        .dst = b->to,
                                        .src = b->from,
                                        .dpitch = b->bytes,
                                        .spitch = b->bytes,
                                        .width = b->bytes,
                                        .height = 1,
                                        .kind = b->kind,
                                        .async = true};
    return cudaSuccess;
}
static cudaError_t keep_fill(const char *call, struct node *n, const struct cudaMemsetParams *p) {
    if (!is(n, cudaGraphNodeTypeMemset) || !p) return cudart_invalid(call);
    n->fill = *p;
    return cudaSuccess;
}
static cudaError_t keep_host(const char *call, struct node *n, const struct cudaHostNodeParams *p) {
    if (!is(n, cudaGraphNodeTypeHost) || !p) return cudart_invalid(call);
    n->host = *p;
    return cudaSuccess;
}
static cudaError_t keep_child(const char *call, struct node *n, cudaGraph_t child) {
    if (!is(n, cudaGraphNodeTypeGraph) || !cudart_graph(child)) return cudart_invalid(call);
    const cudaError_t error = cudart_refuse_memory(call, cudart_graph(child));
    if (error) return error;
    struct graph *copy = cudart_graph_copy(cudart_graph(child));
    const bool executable = n->graph && n->graph->plan;
    if (executable && !cudart_plan(copy))
        return cudart_refuse(call, cudaErrorInvalidValue, "The graph's edges form a cycle.");
    for (unsigned b = 0; executable && b < n->bodies; b++) cudart_plan_end(n->body[b]);
    n->body = cudart_room(n->bodies = 1, sizeof(struct graph *));
    n->body[0] = copy;
    return cudaSuccess;
}
static cudaError_t keep_event(const char *call, struct node *n, cudaEvent_t event) {
    if ((!is(n, cudaGraphNodeTypeEventRecord) && !is(n, cudaGraphNodeTypeWaitEvent)) || !event)
        return cudart_invalid(call);
    n->event = event;
    return cudaSuccess;
}
/* The memory of a graph exists as soon as its node is created, so that its address is known. */
static cudaError_t keep_memory(const char *call, struct node *n, struct cudaMemAllocNodeParams *p) {
    if (!p) return cudart_invalid(call);
    const cudaError_t error = cudart_allocate(call, &p->dptr, p->bytesize, EXEC_ON_DEVICE);
    n->memory = *p;
    return error;
}
static cudaError_t keep_freed(const char *call, struct node *n, void *pointer) {
    if (!pointer) return cudart_invalid(call);
    n->memory.dptr = pointer;
    return cudart_lend(call, pointer);
}
#if CUDART_VERSION >= 12020
static cudaError_t keep_any(const char *call, struct node *n, struct cudaGraphNodeParams *p) {
    switch (p->type) {
    case cudaGraphNodeTypeKernel:
        return keep_kernel(call, n,
                           &(struct cudaKernelNodeParams){.func = p->kernel.func,
                                                          .gridDim = p->kernel.gridDim,
                                                          .blockDim = p->kernel.blockDim,
                                                          .sharedMemBytes = p->kernel.sharedMemBytes,
                                                          .kernelParams = p->kernel.kernelParams});
    case cudaGraphNodeTypeMemcpy: return keep_box(call, n, &p->memcpy.copyParams);
    case cudaGraphNodeTypeMemset:
        return keep_fill(call, n,
                         &(struct cudaMemsetParams){.dst = p->memset.dst,
                                                    .pitch = p->memset.pitch,
                                                    .value = p->memset.value,
                                                    .elementSize = p->memset.elementSize,
                                                    .width = p->memset.width,
                                                    .height = p->memset.height});
    case cudaGraphNodeTypeHost:
        return keep_host(call, n, &(struct cudaHostNodeParams){.fn = p->host.fn, .userData = p->host.userData});
    case cudaGraphNodeTypeGraph: return keep_child(call, n, p->graph.graph);
    case cudaGraphNodeTypeEventRecord: return keep_event(call, n, p->eventRecord.event);
    case cudaGraphNodeTypeWaitEvent: return keep_event(call, n, p->eventWait.event);
    case cudaGraphNodeTypeMemAlloc: {
        struct cudaMemAllocNodeParams memory = {.bytesize = p->alloc.bytesize};
        const cudaError_t error = keep_memory(call, n, &memory);
        p->alloc.dptr = memory.dptr;
        return error;
    }
    case cudaGraphNodeTypeMemFree: return keep_freed(call, n, p->free.dptr);
    case cudaGraphNodeTypeEmpty: return cudaSuccess;
#if CUDART_VERSION >= 12030
    case cudaGraphNodeTypeConditional: return cudart_keep_condition(call, n, &p->conditional);
#endif
    default: cudart_missing(call, "semaphores in graphs");
    }
}
#endif

/* ---- calls that add a node ----------------------------------------------------------------------- */
#define ADD_NODE(name, node_type, keep, ...)                                                                           \
    cudaError_t name(cudaGraphNode_t *handle, cudaGraph_t graph, const cudaGraphNode_t *after, size_t afters,          \
                     __VA_ARGS__) {                                                                                    \
        static const char call[] = #name;                                                                              \
        struct node *n = cudart_node_new(node_type);                                                                   \
        const cudaError_t error = keep;                                                                                \
        return error ? error : cudart_node_add(call, handle, cudart_graph(graph), after, afters, n);                   \
    }
ADD_NODE(cudaGraphAddKernelNode, cudaGraphNodeTypeKernel, keep_kernel(call, n, p), const struct cudaKernelNodeParams *p)
ADD_NODE(cudaGraphAddMemcpyNode, cudaGraphNodeTypeMemcpy, keep_box(call, n, p), const struct cudaMemcpy3DParms *p)
#define BYTES keep_bytes(call, n, &(struct bytes){to, from, bytes, kind})
#define BYTES_GIVEN void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind
ADD_NODE(cudaGraphAddMemcpyNode1D, cudaGraphNodeTypeMemcpy, BYTES, BYTES_GIVEN)
#define TO_SYMBOL keep_symbol(call, n, symbol, &(struct bytes){NULL, from, bytes, kind}, offset)
#define TO_SYMBOL_GIVEN const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind
#define FROM_SYMBOL keep_symbol(call, n, symbol, &(struct bytes){to, NULL, bytes, kind}, offset)
#define FROM_SYMBOL_GIVEN void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind
/* If no destination is given, copies to the symbol, otherwise from it. */
static cudaError_t keep_symbol(const char *call, struct node *n, const void *symbol, struct bytes *b, size_t offset) {
    uint64_t address, size;
    const cudaError_t error = cudart_symbol(call, symbol, &address, &size);
    if (error) return error;
    void *at = (void *)(address + offset);
    if (b->to)
        b->from = at;
    else
        b->to = at;
    return keep_bytes(call, n, b);
}
ADD_NODE(cudaGraphAddMemcpyNodeToSymbol, cudaGraphNodeTypeMemcpy, TO_SYMBOL, TO_SYMBOL_GIVEN)
ADD_NODE(cudaGraphAddMemcpyNodeFromSymbol, cudaGraphNodeTypeMemcpy, FROM_SYMBOL, FROM_SYMBOL_GIVEN)
ADD_NODE(cudaGraphAddMemsetNode, cudaGraphNodeTypeMemset, keep_fill(call, n, p), const struct cudaMemsetParams *p)
ADD_NODE(cudaGraphAddHostNode, cudaGraphNodeTypeHost, keep_host(call, n, p), const struct cudaHostNodeParams *p)
ADD_NODE(cudaGraphAddChildGraphNode, cudaGraphNodeTypeGraph, keep_child(call, n, child), cudaGraph_t child)
ADD_NODE(cudaGraphAddEventRecordNode, cudaGraphNodeTypeEventRecord, keep_event(call, n, event), cudaEvent_t event)
ADD_NODE(cudaGraphAddEventWaitNode, cudaGraphNodeTypeWaitEvent, keep_event(call, n, event), cudaEvent_t event)
ADD_NODE(cudaGraphAddMemAllocNode, cudaGraphNodeTypeMemAlloc, keep_memory(call, n, p), struct cudaMemAllocNodeParams *p)
ADD_NODE(cudaGraphAddMemFreeNode, cudaGraphNodeTypeMemFree, keep_freed(call, n, pointer), void *pointer)
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *handle, cudaGraph_t graph, const cudaGraphNode_t *after,
                                  size_t afters) {
    return cudart_node_add("cudaGraphAddEmptyNode", handle, cudart_graph(graph), after, afters,
                           cudart_node_new(cudaGraphNodeTypeEmpty));
}
#if CUDART_VERSION >= 12020
cudaError_t cudaGraphAddNode(cudaGraphNode_t *handle, cudaGraph_t graph,
                             const cudaGraphNode_t *after EDGES(const cudaGraphEdgeData *edges), size_t afters,
                             struct cudaGraphNodeParams *p) {
    static const char call[] = "cudaGraphAddNode";
    if (!p) return cudart_invalid(call);
    struct node *n = cudart_node_new(p->type);
    const cudaError_t error = keep_any(call, n, p);
    return error ? error : cudart_node_add(call, handle, cudart_graph(graph), after, afters, n);
}
#endif

/* ---- calls that change a node, or its copy in an executable graph -------------------------------- */
static struct node *copy_of(cudaGraphExec_t graph, cudaGraphNode_t node) {
    const struct graph *g = cudart_graph(graph);
    for (unsigned k = 0; g && k < g->count; k++)
        if (g->node[k]->origin == cudart_node(node)) return g->node[k];
    return NULL;
}
static bool can_skip(const struct node *n) {
    return is(n, cudaGraphNodeTypeKernel) || is(n, cudaGraphNodeTypeMemcpy) || is(n, cudaGraphNodeTypeMemset);
}
#define SET(name, keep, ...)                                                                                           \
    cudaError_t name(cudaGraphNode_t node, __VA_ARGS__) {                                                              \
        static const char call[] = #name;                                                                              \
        struct node *n = cudart_node(node);                                                                            \
        return keep;                                                                                                   \
    }
#define SET_COPY(name, keep, ...)                                                                                      \
    cudaError_t name(cudaGraphExec_t graph, cudaGraphNode_t node, __VA_ARGS__) {                                       \
        static const char call[] = #name;                                                                              \
        struct node *n = copy_of(graph, node);                                                                         \
        return keep;                                                                                                   \
    }
/* cudaGraph<what> of a node, and cudaGraphExec<what> of its copy in an executable graph. */
#define SET_BOTH(what, keep, ...)                                                                                      \
    SET(cudaGraph##what, keep, __VA_ARGS__)                                                                            \
    SET_COPY(cudaGraphExec##what, keep, __VA_ARGS__)
SET_BOTH(KernelNodeSetParams, keep_kernel(call, n, p), const struct cudaKernelNodeParams *p)
SET_BOTH(MemcpyNodeSetParams, keep_box(call, n, p), const struct cudaMemcpy3DParms *p)
SET_BOTH(MemcpyNodeSetParams1D, BYTES, BYTES_GIVEN)
SET_BOTH(MemcpyNodeSetParamsToSymbol, TO_SYMBOL, TO_SYMBOL_GIVEN)
SET_BOTH(MemcpyNodeSetParamsFromSymbol, FROM_SYMBOL, FROM_SYMBOL_GIVEN)
SET_BOTH(MemsetNodeSetParams, keep_fill(call, n, p), const struct cudaMemsetParams *p)
SET_BOTH(HostNodeSetParams, keep_host(call, n, p), const struct cudaHostNodeParams *p)
SET_BOTH(EventRecordNodeSetEvent, keep_event(call, n, event), cudaEvent_t event)
SET_BOTH(EventWaitNodeSetEvent, keep_event(call, n, event), cudaEvent_t event)
SET_COPY(cudaGraphExecChildGraphNodeSetParams, keep_child(call, n, child), cudaGraph_t child)
SET_COPY(cudaGraphNodeSetEnabled, (can_skip(n) ? (n->off = !on, cudaSuccess) : cudart_invalid(call)), unsigned on)
#if CUDART_VERSION >= 12020
SET_BOTH(NodeSetParams, (n && p ? keep_any(call, n, p) : cudart_invalid(call)), struct cudaGraphNodeParams *p)
#endif
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID name,
                                            const cudaLaunchAttributeValue *value) {
    struct node *n = cudart_node(node);
    if (!is(n, cudaGraphNodeTypeKernel) || !value || (unsigned)name >= CUDART_ATTRIBUTES)
        return cudart_invalid("cudaGraphKernelNodeSetAttribute");
    if (!n->kernel.attribute) n->kernel.attribute = cudart_room(CUDART_ATTRIBUTES, sizeof *n->kernel.attribute);
    n->kernel.attribute[name] = *value;
    cudart_launch_attribute(&n->kernel.launch, name, value);
    return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t from, cudaGraphNode_t to) {
    const struct node *f = cudart_node(from);
    struct node *t = cudart_node(to);
    if (!is(f, cudaGraphNodeTypeKernel) || !is(t, cudaGraphNodeTypeKernel))
        return cudart_invalid("cudaGraphKernelNodeCopyAttributes");
    t->kernel.attribute = f->kernel.attribute;
    t->kernel.launch.cluster = f->kernel.launch.cluster, t->kernel.launch.cooperative = f->kernel.launch.cooperative;
    return cudaSuccess;
}

/* ---- calls that read a node ---------------------------------------------------------------------- */
#define GET(name, node_type, value, ...)                                                                               \
    cudaError_t name(cudaGraphNode_t node, __VA_ARGS__) {                                                              \
        const struct node *n = cudart_node(node);                                                                      \
        if (!is(n, node_type) || !p) return cudart_invalid(#name);                                                     \
        *p = value;                                                                                                    \
        return cudaSuccess;                                                                                            \
    }
static struct cudaKernelNodeParams kernel_of(const struct cudart_launch *l, const void *function) {
    return (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)function,
                                         .gridDim = l->grid,
                                         .blockDim = l->block,
                                         .sharedMemBytes = (unsigned)l->shared,
                                         .kernelParams = l->arguments};
}
static struct cudaMemcpy3DParms box_of(const struct node *n) {
    const struct cudart_copy *c = &n->copy.rows;
    if (n->copy.is_box) return n->copy.box;
    return (struct cudaMemcpy3DParms){.srcPtr = {(void *)(uintptr_t)c->src, c->spitch, c->width, c->height},
                                      .dstPtr = {c->dst, c->dpitch, c->width, c->height},
                                      .extent = {c->width, c->height, 1},
                                      .kind = c->kind};
}
GET(cudaGraphKernelNodeGetParams, cudaGraphNodeTypeKernel, kernel_of(&n->kernel.launch, n->kernel.launch.function),
    struct cudaKernelNodeParams *p)
GET(cudaGraphMemcpyNodeGetParams, cudaGraphNodeTypeMemcpy, box_of(n), struct cudaMemcpy3DParms *p)
GET(cudaGraphMemsetNodeGetParams, cudaGraphNodeTypeMemset, n->fill, struct cudaMemsetParams *p)
GET(cudaGraphHostNodeGetParams, cudaGraphNodeTypeHost, n->host, struct cudaHostNodeParams *p)
GET(cudaGraphChildGraphNodeGetGraph, cudaGraphNodeTypeGraph, (cudaGraph_t)(void *)n->body[0], cudaGraph_t *p)
GET(cudaGraphEventRecordNodeGetEvent, cudaGraphNodeTypeEventRecord, n->event, cudaEvent_t *p)
GET(cudaGraphEventWaitNodeGetEvent, cudaGraphNodeTypeWaitEvent, n->event, cudaEvent_t *p)
GET(cudaGraphMemAllocNodeGetParams, cudaGraphNodeTypeMemAlloc, n->memory, struct cudaMemAllocNodeParams *p)
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *pointer) {
    const struct node *n = cudart_node(node);
    if (!is(n, cudaGraphNodeTypeMemFree) || !pointer) return cudart_invalid("cudaGraphMemFreeNodeGetParams");
    memcpy(pointer, &n->memory.dptr, sizeof n->memory.dptr);
    return cudaSuccess;
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID name,
                                            cudaLaunchAttributeValue *value) {
    const struct node *n = cudart_node(node);
    if (!is(n, cudaGraphNodeTypeKernel) || !value || (unsigned)name >= CUDART_ATTRIBUTES)
        return cudart_invalid("cudaGraphKernelNodeGetAttribute");
    memset(value, 0, sizeof *value);
    if (n->kernel.attribute) *value = n->kernel.attribute[name];
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t graph, cudaGraphNode_t node, unsigned *on) {
    const struct node *n = copy_of(graph, node);
    if (!can_skip(n) || !on) return cudart_invalid("cudaGraphNodeGetEnabled");
    *on = !n->off;
    return cudaSuccess;
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type) {
    if (!node || !type) return cudart_invalid("cudaGraphNodeGetType");
    *type = cudart_node(node)->type;
    return cudaSuccess;
}

/* ---- edges --------------------------------------------------------------------------------------- */
static cudaError_t edit(const char *call, cudaGraph_t graph, const cudaGraphNode_t *from, const cudaGraphNode_t *to,
                        size_t count, bool add) {
    if (!cudart_graph(graph) || (count && (!from || !to))) return cudart_invalid(call);
    bool had = true;
    const cudaError_t error = add ? cudaSuccess : cudart_refuse_memory(call, cudart_graph(graph));
    if (error) return error;
    for (size_t k = 0; add && k < count; k++)
        if (from[k] == to[k] || follows(cudart_node(to[k]), cudart_node(from[k]))) return cudart_invalid(call);
    for (size_t k = 0; k < count; k++)
        if (add)
            follow(cudart_node(to[k]), cudart_node(from[k]));
        else
            had &= cudart_node_cut(cudart_node(to[k]), cudart_node(from[k]));
    return had ? cudaSuccess : cudart_invalid(call);
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to EDGES(const cudaGraphEdgeData *edges), size_t count) {
    return edit("cudaGraphAddDependencies", graph, from, to, count, true);
}
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to EDGES(const cudaGraphEdgeData *edges), size_t count) {
    return edit("cudaGraphRemoveDependencies", graph, from, to, count, false);
}
/* Stores the edges that end at `to` or begin at `from`; all edges if both are NULL. */
static cudaError_t edges_of(const char *call, const struct graph *g, const struct node *from, const struct node *to,
                            cudaGraphNode_t *begin, cudaGraphNode_t *end, size_t *count) {
    size_t found = 0;
    if (!g || !count) return cudart_invalid(call);
    for (unsigned k = 0; k < g->count; k++)
        for (unsigned e = 0; (!to || g->node[k] == to) && e < g->node[k]->afters; e++) {
            if (from && g->node[k]->after[e] != from) continue;
            if (begin && found < *count) begin[found] = cudart_node_handle(g->node[k]->after[e]);
            if (end && found < *count) end[found] = cudart_node_handle(g->node[k]);
            found++;
        }
    if ((!begin && !end) || found < *count) *count = found;
    return cudaSuccess;
}
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
                              cudaGraphNode_t *to EDGES(cudaGraphEdgeData *edges), size_t *count) {
    return edges_of("cudaGraphGetEdges", cudart_graph(graph), NULL, NULL, from, to, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *from EDGES(cudaGraphEdgeData *edges),
                                         size_t *count) {
    const struct node *n = cudart_node(node);
    return edges_of("cudaGraphNodeGetDependencies", n ? n->graph : NULL, NULL, n, from, NULL, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *to EDGES(cudaGraphEdgeData *edges),
                                           size_t *count) {
    const struct node *n = cudart_node(node);
    return edges_of("cudaGraphNodeGetDependentNodes", n ? n->graph : NULL, n, NULL, NULL, to, count);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    struct node *n = cudart_node(node);
    struct graph *g = n ? n->graph : NULL;
    if (!g) return cudart_invalid("cudaGraphDestroyNode");
    const cudaError_t error = cudart_refuse_memory("cudaGraphDestroyNode", g);
    if (error) return error;
    g->count--;
    for (unsigned k = n->place; k < g->count; k++) g->node[k] = g->node[k + 1], g->node[k]->place = k;
    for (unsigned k = 0; k < g->count; k++) cudart_node_cut(g->node[k], n);
    return cudaSuccess;
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *found, cudaGraphNode_t node, cudaGraph_t clone) {
    struct node *n = copy_of((cudaGraphExec_t)(void *)clone, node);
    if (!n || !found) return cudart_invalid("cudaGraphNodeFindInClone");
    *found = cudart_node_handle(n);
    return cudaSuccess;
}
