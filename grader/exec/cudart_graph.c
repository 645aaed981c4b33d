/* Graphs: their creation, copies, instantiation and updates, and the user objects that they retain. Copies of a graph
 * share the arguments of its nodes, so no part of a graph is ever freed. */
#include "exec/cudart_graph.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONDITIONAL = 13 }; /* cudaGraphNodeTypeConditional, which older toolkits lack */
static struct graph *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct graph *cudart_graph(const void *handle) {
    pthread_mutex_lock(&lock);
    struct graph *g = list;
    while (g && g != handle) g = g->next;
    pthread_mutex_unlock(&lock);
    return g && !g->ended ? g : NULL;
}
void *cudart_room(size_t count, size_t size) {
    void *p = calloc(count + 1, size);
    if (!p) abort();
    return p;
}
cudaError_t cudart_invalid(const char *call) { return cudart_refuse(call, cudaErrorInvalidValue, NULL); }
struct graph *cudart_graph_new(void) {
    struct graph *g = cudart_room(1, sizeof *g);
    pthread_mutex_lock(&lock);
    g->next = list, list = g;
    pthread_mutex_unlock(&lock);
    return g;
}

/* ---- user objects: the program's data, which graphs keep alive ------------------------------------- */
struct object {
    void *data;
    cudaHostFn_t destroy;
    unsigned count;
};
struct cudart_held {
    struct object *object;
    unsigned count;
    struct cudart_held *next;
};
static cudaError_t drop(const char *call, struct object *o, unsigned count) {
    if (!o || !count || count > o->count) return cudart_invalid(call);
    o->count -= count;
    if (!o->count) o->destroy(o->data), free(o);
    return cudaSuccess;
}
static void hold(struct graph *g, struct object *o, unsigned count) {
    struct cudart_held *h = cudart_room(1, sizeof *h);
    *h = (struct cudart_held){o, count, g->held};
    g->held = h;
}
cudaError_t cudaUserObjectCreate(cudaUserObject_t *object, void *data, cudaHostFn_t destroy, unsigned count,
                                 unsigned flags) {
    if (!object || !destroy || !count) return cudart_invalid("cudaUserObjectCreate");
    struct object *o = cudart_room(1, sizeof *o);
    *o = (struct object){data, destroy, count};
    *object = (cudaUserObject_t)(void *)o;
    return cudaSuccess;
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
    if (!object || !count) return cudart_invalid("cudaUserObjectRetain");
    ((struct object *)(void *)object)->count += count;
    return cudaSuccess;
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
    return drop("cudaUserObjectRelease", (struct object *)(void *)object, count);
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags) {
    struct graph *g = cudart_graph(graph);
    struct object *o = (struct object *)(void *)object;
    if (!g || !o || !count) return cudart_invalid("cudaGraphRetainUserObject");
    if (!(flags & cudaGraphUserObjectMove)) o->count += count;
    hold(g, o, count);
    return cudaSuccess;
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
    struct graph *g = cudart_graph(graph);
    struct cudart_held *h = g ? g->held : NULL;
    while (h && ((void *)h->object != (void *)object || h->count < count)) h = h->next;
    if (!h) return cudart_invalid("cudaGraphReleaseUserObject");
    h->count -= count;
    return drop("cudaGraphReleaseUserObject", h->object, count);
}

/* ---- whole graphs ----------------------------------------------------------------------------------- */
struct graph *cudart_graph_copy(struct graph *from) {
    struct graph *g = cudart_graph_new();
    g->origin = from;
    for (unsigned k = 0; k < from->count; k++) {
        struct node *n = cudart_node_new(from->node[k]->type);
        *n = *from->node[k];
        n->origin = from->node[k], n->after = NULL, n->afters = 0;
        if (n->bodies) n->body = cudart_room(n->bodies, sizeof(struct graph *));
        for (unsigned b = 0; b < n->bodies; b++) n->body[b] = cudart_graph_copy(from->node[k]->body[b]);
        cudart_node_add("", NULL, g, NULL, 0, n);
        n->site = from->node[k]->site;
    }
    for (unsigned k = 0; k < from->count; k++) {
        const struct node *old = from->node[k];
        struct node *n = g->node[k];
        n->after = cudart_room(old->afters, sizeof *n->after);
        for (; n->afters < old->afters; n->afters++) n->after[n->afters] = g->node[old->after[n->afters]->place];
    }
    for (const struct cudart_held *h = from->held; h; h = h->next)
        if (h->count) h->object->count += h->count, hold(g, h->object, h->count);
    return g;
}
cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags) {
    if (!graph || flags) return cudart_invalid("cudaGraphCreate");
    *graph = (cudaGraph_t)(void *)cudart_graph_new();
    return cudaSuccess;
}
cudaError_t cudart_refuse_memory(const char *call, const struct graph *g) {
    for (unsigned k = 0; k < g->count; k++) switch ((int)g->node[k]->type) {
        case cudaGraphNodeTypeMemAlloc:
        case cudaGraphNodeTypeMemFree:
        case CONDITIONAL:
            return cudart_refuse(call, cudaErrorNotSupported,
                                 "The graph has conditional nodes, or nodes that allocate or free memory.");
        default: break;
        }
    return cudaSuccess;
}
cudaError_t cudaGraphClone(cudaGraph_t *copy, cudaGraph_t graph) {
    struct graph *g = cudart_graph(graph);
    if (!g || !copy) return cudart_invalid("cudaGraphClone");
    const cudaError_t error = cudart_refuse_memory("cudaGraphClone", g);
    if (!error) *copy = (cudaGraph_t)(void *)cudart_graph_copy(g);
    return error;
}
/* Returns whether there is an executable graph made of `g`. */
static bool is_instantiated(const struct graph *g) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (const struct graph *e = list; e && !found; e = e->next) found = e->origin == g && e->plan && !e->ended;
    pthread_mutex_unlock(&lock);
    return found;
}
static cudaError_t instantiate(const char *call, cudaGraphExec_t *made, cudaGraph_t graph, unsigned long long flags) {
    struct graph *g = cudart_graph(graph);
    if (!g || !made) return cudart_invalid(call);
    if (flags & cudaGraphInstantiateFlagDeviceLaunch)
        cudart_missing("cudaGraphInstantiate", "graphs that kernels launch");
    cudaError_t error = cudart_capture_unsafe(call);
    if (!error && is_instantiated(g)) error = cudart_refuse_memory(call, g);
    if (error) return error;
    struct graph *copy = cudart_graph_copy(g);
    if (!cudart_plan(copy)) return cudart_refuse(call, cudaErrorInvalidValue, "The graph's edges form a cycle.");
    copy->flags = flags;
    *made = (cudaGraphExec_t)(void *)copy;
    return cudaSuccess;
}
#if CUDART_VERSION >= 12000
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph, unsigned long long flags) {
#else
cudaError_t cudaGraphInstantiate(cudaGraphExec_t *made, cudaGraph_t graph, cudaGraphNode_t *node, char *log,
                                 size_t size) {
    const unsigned long long flags = 0;
#endif
    return instantiate("cudaGraphInstantiate", made, graph, flags);
}
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *made, cudaGraph_t graph, unsigned long long flags) {
    return instantiate("cudaGraphInstantiateWithFlags", made, graph, flags);
}
#if CUDART_VERSION >= 12000
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *made, cudaGraph_t graph, cudaGraphInstantiateParams *p) {
    static const char call[] = "cudaGraphInstantiateWithParams";
    if (!p) return cudart_invalid(call);
    const cudaError_t error = instantiate(call, made, graph, p->flags);
    p->result_out = error ? cudaGraphInstantiateInvalidStructure : cudaGraphInstantiateSuccess, p->errNode_out = NULL;
    return error;
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t graph, unsigned long long *flags) {
    const struct graph *g = cudart_graph(graph);
    if (!g || !flags) return cudart_invalid("cudaGraphExecGetFlags");
    *flags = g->flags;
    return cudaSuccess;
}
/* Returns the first node of `g` that differs from the corresponding node of `e` in its type or its edges, or NULL. */
static struct node *difference(const struct graph *e, const struct graph *g, enum cudaGraphExecUpdateResult *why) {
    for (unsigned k = 0; k < e->count && k < g->count; k++) {
        const struct node *old = e->node[k];
        bool same = old->afters == g->node[k]->afters;
        for (unsigned n = 0; same && n < old->afters; n++) same = old->after[n]->place == g->node[k]->after[n]->place;
        *why = old->type != g->node[k]->type ? cudaGraphExecUpdateErrorNodeTypeChanged
                                             : cudaGraphExecUpdateErrorTopologyChanged;
        if (!same || old->type != g->node[k]->type) return g->node[k];
    }
    return NULL;
}
/* Replaces the child graphs of a node with copies that an executable graph can launch. Returns false if edges form a
 * cycle. */
static bool copy_bodies(struct node *n) {
    struct graph **from = n->body;
    bool good = true;
    n->body = cudart_room(n->bodies, sizeof *n->body);
    for (unsigned b = 0; b < n->bodies; b++) good &= cudart_plan(n->body[b] = cudart_graph_copy(from[b]));
    return good;
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info) {
    struct graph *e = cudart_graph(executable), *g = cudart_graph(graph);
    if (!e || !g || !info) return cudart_invalid("cudaGraphExecUpdate");
    *info = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateErrorTopologyChanged};
    const cudaError_t error = cudart_refuse_memory("cudaGraphExecUpdate", g);
    if (error) return error;
    struct node *other = difference(e, g, &info->result);
    if (other || e->count != g->count) {
        info->errorNode = cudart_node_handle(other);
        /* not a finding, because programs respond to this failure by instantiating the graph again */
        return cudart_keep(cudaErrorGraphExecUpdateFailure);
    }
    struct node *new = cudart_room(e->count, sizeof *new);
    for (unsigned k = 0; k < e->count; k++) {
        new[k] = *g->node[k];
        if (!copy_bodies(&new[k]))
            return cudart_refuse("cudaGraphExecUpdate", cudaErrorInvalidValue, "The graph's edges form a cycle.");
    }
    for (unsigned k = 0; k < e->count; k++) {
        const struct node had = *e->node[k];
        for (unsigned b = 0; b < had.bodies; b++) cudart_plan_end(had.body[b]);
        *e->node[k] = new[k];
        e->node[k]->graph = e, e->node[k]->origin = had.origin, e->node[k]->after = had.after,
        e->node[k]->off = had.off;
    }
    info->result = cudaGraphExecUpdateSuccess;
    return cudaSuccess;
}
#endif
cudaError_t cudaGraphUpload(cudaGraphExec_t graph, cudaStream_t stream) { return cudaSuccess; }
static cudaError_t destroy(const char *call, struct graph *g) {
    if (!g) return cudart_invalid(call);
    for (struct cudart_held *h = g->held; h; h = h->next)
        if (h->count) drop(call, h->object, h->count);
    cudart_plan_end(g);
    g->ended = true;
    return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return destroy("cudaGraphDestroy", cudart_graph(graph)); }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t graph) {
    const cudaError_t error = cudart_capture_unsafe("cudaGraphExecDestroy");
    return error ? error : destroy("cudaGraphExecDestroy", cudart_graph(graph));
}

/* ---- reading ---------------------------------------------------------------------------------------- */
static cudaError_t nodes(const char *call, const struct graph *g, bool roots, cudaGraphNode_t *out, size_t *count) {
    size_t found = 0;
    if (!g || !count) return cudart_invalid(call);
    for (unsigned k = 0; k < g->count; k++) {
        if (roots && g->node[k]->afters) continue;
        if (out && found < *count) out[found] = cudart_node_handle(g->node[k]);
        found++;
    }
    if (!out || found < *count) *count = found;
    return cudaSuccess;
}
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *out, size_t *count) {
    return nodes("cudaGraphGetNodes", cudart_graph(graph), false, out, count);
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *out, size_t *count) {
    return nodes("cudaGraphGetRootNodes", cudart_graph(graph), true, out, count);
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags) {
    static const char *const names[] = {"kernel", "memcpy", "memset", "host", "graph", "empty", "wait", "record"};
    static const char call[] = "cudaGraphDebugDotPrint";
    const struct graph *g = cudart_graph(graph);
    FILE *f = g && path ? fopen(path, "w") : NULL;
    if (!f) return cudart_refuse(call, g && path ? cudaErrorOperatingSystem : cudaErrorInvalidValue, NULL);
    fputs("digraph {\n", f);
    for (unsigned k = 0; k < g->count; k++) {
        const unsigned type = g->node[k]->type;
        fprintf(f, "    n%u [label=\"%s\"]\n", k, type < sizeof names / sizeof *names ? names[type] : "other");
        for (unsigned n = 0; n < g->node[k]->afters; n++)
            fprintf(f, "    n%u -> n%u\n", g->node[k]->after[n]->place, k);
    }
    fputs("}\n", f);
    return fclose(f) ? cudart_refuse(call, cudaErrorOperatingSystem, NULL) : cudaSuccess;
}

/* ---- memory of graphs, which is ordinary memory ----------------------------------------------------- */
cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType name, void *value) {
    uint64_t bytes = 0;
    if (!value || device) return cudart_invalid("cudaDeviceGetGraphMemAttribute");
    pthread_mutex_lock(&lock);
    for (const struct graph *g = list; g; g = g->next)
        for (unsigned k = 0; !g->origin && k < g->count; k++)
            if (g->node[k]->type == cudaGraphNodeTypeMemAlloc) bytes += g->node[k]->memory.bytesize;
    pthread_mutex_unlock(&lock);
    memcpy(value, &bytes, sizeof bytes);
    return cudaSuccess;
}
cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType name, void *value) {
    return cudaSuccess;
}
cudaError_t cudaDeviceGraphMemTrim(int device) { return cudaSuccess; }
