/* Launches of graphs. A launch makes the calls of the nodes in one order that the edges allow.
 *
 * On a GPU, nodes that no path of edges connects may run in any order. A plan therefore divides the nodes into
 * branches: chains in which each node follows the previous one. Each branch has a stream, and events order the branches
 * as the edges require, so the check of streams (order.c) finds accesses that nothing orders. */
#include "exec/cudart_graph.h"
#include <pthread.h>

enum { MAX_BRANCHES = 32 }; /* in a graph with more branches, nodes share branches, so some races are missed */
struct step {
    struct node *node;
    unsigned branch;
    bool done, crossed; /* crossed: whether a node of another branch, or the end of the launch, waits for the step */
    cudaEvent_t ended;
};
struct cudart_plan {
    struct step *step;   /* indexed by the node's place */
    struct step **order; /* the steps in the order of their calls */
    struct step *last[MAX_BRANCHES];
    cudaStream_t stream[MAX_BRANCHES];
    unsigned branches;
    cudaEvent_t began, ended;
};
static struct step *step_of(const struct graph *g, const struct node *n) { return &g->plan->step[n->place]; }

/* ---- plans ------------------------------------------------------------------------------------------ */
/* Returns the first step that is not done but whose predecessors are. Returns NULL if there is none, because all steps
 * are done or the remaining ones form a cycle. */
static struct step *ready(const struct graph *g) {
    for (unsigned k = 0; k < g->count; k++) {
        bool free = !g->plan->step[k].done;
        for (unsigned n = 0; n < g->node[k]->afters; n++) free &= step_of(g, g->node[k]->after[n])->done;
        if (free) return &g->plan->step[k];
    }
    return NULL;
}
static void choose_branch(struct graph *g, struct step *s) {
    struct cudart_plan *p = g->plan;
    const struct node *n = s->node;
    unsigned k = 0;
    while (k < n->afters && p->last[step_of(g, n->after[k])->branch]->node != n->after[k]) k++;
    if (k < n->afters)
        s->branch = step_of(g, n->after[k])->branch;
    else
        s->branch = p->branches < MAX_BRANCHES ? p->branches++ : n->place % MAX_BRANCHES;
    p->last[s->branch] = s;
    for (k = 0; k < n->afters; k++)
        if (step_of(g, n->after[k])->branch != s->branch) step_of(g, n->after[k])->crossed = true;
}
bool cudart_plan(struct graph *g) {
    struct cudart_plan *p = g->plan = cudart_room(1, sizeof *p);
    unsigned count = 0;
    p->step = cudart_room(g->count, sizeof *p->step), p->order = cudart_room(g->count, sizeof(struct step *));
    for (unsigned k = 0; k < g->count; k++) p->step[k].node = g->node[k];
    for (struct step *s; (s = ready(g)); s->done = true) choose_branch(g, s), p->order[count++] = s;
    for (unsigned b = 0; b < p->branches; b++) p->last[b]->crossed = true;
    bool good = count == g->count;
    for (unsigned k = 0; good && k < g->count; k++)
        for (unsigned b = 0; good && b < g->node[k]->bodies; b++) good = cudart_plan(g->node[k]->body[b]);
    return good;
}
static void forget(uintptr_t handle) {
    if (handle) cudart_order("cudaGraphExecDestroy", EXEC_FORGET, handle, 0, NULL);
}
void cudart_plan_end(struct graph *g) {
    struct cudart_plan *p = g->plan;
    for (unsigned k = 0; p && k < g->count; k++) {
        forget((uintptr_t)p->step[k].ended);
        for (unsigned b = 0; b < g->node[k]->bodies; b++) cudart_plan_end(g->node[k]->body[b]);
    }
    for (unsigned b = 0; p && b < p->branches; b++) forget((uintptr_t)p->stream[b]);
    if (p) forget((uintptr_t)p->began), forget((uintptr_t)p->ended);
    g->plan = NULL;
}

/* ---- the order of branches -------------------------------------------------------------------------- */
static const char call[] = "cudaGraphLaunch";
static void record(cudaEvent_t *event, cudaStream_t stream) {
    uint64_t handle = (uintptr_t)*event;
    if (!handle) cudart_order(call, EXEC_EVENT, cudaEventDisableTiming, 0, &handle);
    *event = (cudaEvent_t)handle;
    cudart_order(call, EXEC_RECORD, handle, (uintptr_t)stream, NULL);
}
static void wait_for(cudaEvent_t event, cudaStream_t stream) {
    if (event) cudart_order(call, EXEC_WAIT, (uintptr_t)event, (uintptr_t)stream, NULL);
}
/* Makes the branches wait for earlier work in the stream of the launch. */
static void fork_branches(struct cudart_plan *p, cudaStream_t stream) {
    record(&p->began, stream);
    for (unsigned b = 0; b < p->branches; b++) {
        uint64_t handle = (uintptr_t)p->stream[b];
        if (!handle) cudart_order(call, EXEC_STREAM, EXEC_BRANCH, 0, &handle);
        p->stream[b] = (cudaStream_t)handle;
        wait_for(p->began, p->stream[b]);
    }
}

/* ---- launches --------------------------------------------------------------------------------------- */
static cudaError_t play(struct graph *g, cudaStream_t stream);
static cudaError_t fill(const struct cudaMemsetParams *p, cudaStream_t stream) {
    const size_t height = p->height ? p->height : 1, pitch = height > 1 ? p->pitch : p->width * p->elementSize;
    return cudart_fill(&(struct cudart_fill){"cudaMemset2DAsync", p->dst, pitch, p->width, height, p->value,
                                             p->elementSize, stream, true});
}
#if CUDART_VERSION >= 12030
static cudaError_t play_conditional(const struct node *n, cudaStream_t stream) {
    cudaError_t error;
    struct graph *body = cudart_condition_body(n, stream, &error);
    if (body) error = play(body, stream);
    while (body && !error && n->condition.type == cudaGraphCondTypeWhile)
        if ((body = cudart_condition_body(n, stream, &error))) error = play(body, stream);
    return error;
}
#endif
static cudaError_t run(struct node *n, cudaStream_t stream) {
    struct cudart_launch launch = n->kernel.launch;
    struct cudart_copy rows = n->copy.rows;
    switch (n->type) {
    case cudaGraphNodeTypeKernel: return launch.stream = stream, cudart_launch(&launch);
    case cudaGraphNodeTypeMemcpy:
        return n->copy.is_box ? cudaMemcpy3DAsync(&n->copy.box, stream) : (rows.stream = stream, cudart_copy(&rows));
    case cudaGraphNodeTypeMemset: return fill(&n->fill, stream);
    case cudaGraphNodeTypeHost: return cudaLaunchHostFunc(stream, n->host.fn, n->host.userData);
    case cudaGraphNodeTypeGraph: return play(n->body[0], stream);
#if CUDART_VERSION >= 12030
    case cudaGraphNodeTypeConditional: return play_conditional(n, stream);
#endif
    case cudaGraphNodeTypeEventRecord: return cudaEventRecord(n->event, stream);
    case cudaGraphNodeTypeWaitEvent: return cudaStreamWaitEvent(stream, n->event, 0);
    default: return cudaSuccess;
    }
}
static cudaError_t play(struct graph *g, cudaStream_t stream) {
    struct cudart_plan *p = g->plan;
    const bool branched = p->branches > 1;
    cudaError_t error = cudaSuccess;
    if (branched) fork_branches(p, stream);
    for (unsigned k = 0; !error && k < g->count; k++) {
        struct step *s = p->order[k];
        const struct cudart_site *had = cudart_site_use(&s->node->site);
        const cudaStream_t own = branched ? p->stream[s->branch] : stream;
        for (unsigned n = 0; n < s->node->afters; n++) {
            const struct step *before = step_of(g, s->node->after[n]);
            if (before->branch != s->branch) wait_for(before->ended, own);
        }
        if (!s->node->off) error = run(s->node, own);
        if (branched && s->crossed) record(&s->ended, own);
        cudart_site_use(had);
    }
    for (unsigned b = 0; branched && b < p->branches; b++) wait_for(p->last[b]->ended, stream);
    return error;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t graph, cudaStream_t stream) {
    struct graph *g = cudart_graph(graph);
    if (g && cudart_capturing(stream))
        return cudart_capture_refuse(call, stream,
                                     "A graph can contain another graph only as a child node "
                                     "(cudaGraphAddChildGraphNode()).");
    if (!g || !g->plan) return cudart_invalid(call);
    wait_for(g->plan->ended, stream); /* a launch waits for the previous launch of the graph */
    cudaError_t error = cudaSuccess;
#if CUDART_VERSION >= 12030
    error = cudart_assign_conditions(g, stream);
#endif
    if (!error) error = play(g, stream);
    if (!error) record(&g->plan->ended, stream);
    return error;
}
