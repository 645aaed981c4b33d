/* Graphs of the runtime library: their nodes (cudart_node.c, cudart_conditional.c), copies (cudart_graph.c), launches
 * (cudart_play.c) and capture (cudart_capture.c). A node holds the arguments of the call that it makes at each launch
 * of its graph. */
#ifndef EXEC_CUDART_GRAPH_H
#define EXEC_CUDART_GRAPH_H

#include "exec/cudart.h"

enum { CUDART_ATTRIBUTES = 32 };
struct graph;
struct node {
    enum cudaGraphNodeType type;
    struct graph *graph;
    struct node *origin; /* original of this node, if the node's graph is a copy */
    struct node **after; /* predecessors */
    unsigned afters, place;
    struct graph **body; /* the graph of a child node, or those of a conditional node */
    unsigned bodies;
    bool done, off;          /* done: whether the current search has visited the node */
    struct cudart_site site; /* location of the call that added the node, for findings */
    union {
        struct {
            struct cudart_launch launch; /* `arguments` points to a copy of the program's arguments */
            cudaLaunchAttributeValue *attribute;
        } kernel;
        struct {
            struct cudart_copy rows;
            struct cudaMemcpy3DParms box; /* valid if is_box */
            bool is_box;
        } copy;
        struct cudaMemsetParams fill;
        struct cudaHostNodeParams host;
        struct {
            uint64_t handle;
            unsigned type; /* enum cudaGraphConditionalNodeType */
        } condition;
        cudaEvent_t event;
        struct cudaMemAllocNodeParams memory; /* a node that frees memory uses only the pointer */
    };
};
struct cudart_held; /* user objects */
struct cudart_plan;
struct graph {
    struct node **node;
    unsigned count, room;
    struct graph *next, *origin;
    struct cudart_held *held;
    struct cudart_plan *plan; /* plan of the graph's launches; NULL if the graph is not executable */
    unsigned long long flags;
    bool ended;
};
static inline struct node *cudart_node(cudaGraphNode_t handle) { return (struct node *)(void *)handle; }
static inline cudaGraphNode_t cudart_node_handle(struct node *n) { return (cudaGraphNode_t)(void *)n; }

/* ---- cudart_graph.c ---- */
/* Returns the graph of a handle, or NULL if there is none. */
struct graph *cudart_graph(const void *handle);
struct graph *cudart_graph_new(void);
struct graph *cudart_graph_copy(struct graph *from);
/* Returns an error for a graph with conditional nodes, or with nodes that allocate or free memory: CUDA neither copies
 * such a graph nor removes parts of it. */
cudaError_t cudart_refuse_memory(const char *call, const struct graph *g);
/* Returns zeroed memory for count + 1 items. Aborts if out of memory. */
void *cudart_room(size_t count, size_t size);
/* Reports that the arguments of a call are invalid. Returns the error. */
cudaError_t cudart_invalid(const char *call);

/* ---- cudart_conditional.c ---- */
#if CUDART_VERSION >= 12030
cudaError_t cudart_keep_condition(const char *call, struct node *n, struct cudaConditionalNodeParams *p);
/* Sets the conditions of a graph to their values at the start of a launch. */
cudaError_t cudart_assign_conditions(const struct graph *g, cudaStream_t stream);
/* Reads the condition of a node. Returns the body to run next, or NULL if there is none. */
struct graph *cudart_condition_body(const struct node *n, cudaStream_t stream, cudaError_t *error);
#endif

/* ---- cudart_play.c ---- */
/* Prepares the launches of a graph whose nodes and edges no longer change. Returns false if the edges form a cycle. */
bool cudart_plan(struct graph *g);
void cudart_plan_end(struct graph *g);

/* ---- cudart_node.c ---- */
struct node *cudart_node_new(enum cudaGraphNodeType type);
/* Adds a node with these predecessors to a graph. Stores its handle at `handle`, if not NULL. */
cudaError_t cudart_node_add(const char *call, cudaGraphNode_t *handle, struct graph *g, const cudaGraphNode_t *after,
                            size_t afters, struct node *n);
void cudart_keep_launch(struct node *n, const struct cudart_launch *l);
/* Removes the predecessors `from` of `n`. Returns whether there were any. */
bool cudart_node_cut(struct node *n, const struct node *from);

/* ---- cudart_capture.c: recording of the calls in captured streams ---- */
bool cudart_capturing(cudaStream_t stream);
/* Returns the error of a call that a captured stream does not permit. The call invalidates the capture. */
cudaError_t cudart_capture_refuse(const char *call, cudaStream_t stream, const char *why);
/* Returns whether the call's work in the default stream would wait for a captured stream. If so, sets *error and
 * invalidates the captures. */
bool cudart_capture_implicit(const char *call, cudaStream_t stream, cudaError_t *error);
/* If any capture is in progress, invalidates all captures and returns an error, because the call waits for all
 * streams. */
cudaError_t cudart_capture_finish(const char *call);
/* If any captures forbid the call, invalidates them and returns an error. A capture forbids a call that may wait for
 * device work, which the capture has not started. */
cudaError_t cudart_capture_unsafe(const char *call);
void cudart_forget_advice(uintptr_t begin, size_t bytes); /* of freed managed memory (cudart_managed.c) */
/* Each of these functions adds a node to the graph of the stream's capture. */
cudaError_t cudart_capture(cudaStream_t stream, struct node *n);
cudaError_t cudart_capture_launch(const struct cudart_launch *l);
cudaError_t cudart_capture_copy(const struct cudart_copy *c);
cudaError_t cudart_capture_fill(const struct cudart_fill *f);
/* Returns whether the event was recorded in a capture that has not ended. If `invalidate` is set, invalidates the
 * capture. */
bool cudart_capture_holds(cudaEvent_t event, bool invalidate);
/* Each of these functions returns whether the program's call belongs to a capture. If so, the call has no further
 * effect, and *error is its result. Before the call, set *error to the error for a wait for an event outside the
 * capture, or to 0 for cudaErrorInvalidValue. */
bool cudart_capture_record(cudaEvent_t event, cudaStream_t stream);
bool cudart_capture_wait(cudaStream_t stream, cudaEvent_t event, cudaError_t *error);

#endif
