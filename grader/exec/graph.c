/* Graphs from stream capture. Requests in a captured stream are recorded, and performed in the order of recording at
 * each launch of the graph. The graph permits this order, because the program requested the work in this order. */
#include "base/array.h"
#include "exec/serve.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_STREAMS = 16, MOST_EVENTS = 64, GRAPH_BASE = 1 };
struct kept {
    struct exec_request request;
    uint8_t *payload;
};
struct exec_graph {
    bool open;
    uint64_t stream[MOST_STREAMS], event[MOST_EVENTS]; /* streams and events of the capture, which began in stream[0] */
    unsigned streams, events;
    struct kept *kept;
    unsigned count, room;
};

static struct exec_graph *capturing(const struct exec_session *s, uint64_t stream) {
    for (unsigned k = 0; k < s->graphs; k++)
        for (unsigned n = 0; s->graph[k]->open && n < s->graph[k]->streams; n++)
            if (s->graph[k]->stream[n] == stream) return s->graph[k];
    return NULL;
}
bool exec_is_capturing(const struct exec_session *s, uint64_t stream) { return capturing(s, stream) != NULL; }
int exec_capture(struct exec_session *s, uint64_t stream) {
    struct exec_graph **all = array_room(s->graph, s->graphs + 1, &s->graphs_room, sizeof *all);
    if (all) s->graph = all;
    if (!stream || !exec_stream_known(s, stream)) return ERROR_CAPTURE;
    if (capturing(s, stream)) return ERROR_CAPTURE;
    struct exec_graph *g = all ? calloc(1, sizeof *g) : NULL;
    if (!g) return ERROR_MEMORY;
    g->open = true, g->stream[g->streams++] = stream;
    s->graph[s->graphs++] = g;
    return ERROR_NONE;
}
int exec_captured(struct exec_session *s, uint64_t stream, uint64_t *graph) {
    for (unsigned k = 0; k < s->graphs; k++)
        if (s->graph[k]->open && s->graph[k]->stream[0] == stream)
            return s->graph[k]->open = false, *graph = k + GRAPH_BASE, ERROR_NONE;
    return ERROR_CAPTURE;
}
/* Adds an event to the capture, or a stream that waits for an event of the capture. */
static int join_streams(struct exec_graph *g, const struct exec_request *q, struct exec_graph *of_event) {
    if (q->op == EXEC_RECORD && g && g->events < MOST_EVENTS) g->event[g->events++] = q->a[0];
    if (q->op == EXEC_WAIT && of_event && !g && of_event->streams < MOST_STREAMS)
        of_event->stream[of_event->streams++] = q->a[1];
    return ERROR_NONE;
}
static struct exec_graph *graph_of_event(const struct exec_session *s, uint64_t event) {
    for (unsigned k = 0; k < s->graphs; k++)
        for (unsigned n = 0; s->graph[k]->open && n < s->graph[k]->events; n++)
            if (s->graph[k]->event[n] == event) return s->graph[k];
    return NULL;
}
bool exec_keep(struct exec_session *s, uint64_t stream, const struct exec_request *q, const uint8_t *payload,
               int *error) {
    struct exec_graph *g = s->graphs ? capturing(s, stream) : NULL;
    struct exec_graph *of_event = s->graphs && q->op == EXEC_WAIT ? graph_of_event(s, q->a[0]) : NULL;
    if (!g && !of_event) return false;
    if (q->op == EXEC_RECORD || q->op == EXEC_WAIT) return *error = join_streams(g, q, of_event), true;
    *error = ERROR_CAPTURE;
    if (q->op == EXEC_COPY && (!q->a[EXEC_ASYNC] || q->a[EXEC_KIND] & (EXEC_DST_HOST | EXEC_SRC_HOST))) {
        exec_tell(s, HOST_FAILED, NULL,
                  "%s() cannot be captured here: a graph accepts cudaMemcpyAsync() of device memory, managed memory, "
                  "and memory from cudaMallocHost().",
                  q->call);
        return true;
    }
    struct kept *all = array_room(g->kept, g->count + 1, &g->room, sizeof *all);
    uint8_t *copy = malloc(q->bytes + 8);
    if (all) g->kept = all;
    if (!all || !copy) return free(copy), *error = ERROR_MEMORY, true;
    memcpy(copy, payload, q->bytes);
    g->kept[g->count++] = (struct kept){*q, copy};
    return *error = ERROR_NONE, true;
}
int exec_graph_play(struct exec_session *s, uint64_t graph, uint64_t stream, struct exec_reply *r) {
    if (graph < GRAPH_BASE || graph - GRAPH_BASE >= s->graphs || s->graph[graph - GRAPH_BASE]->open)
        return ERROR_HANDLE;
    struct exec_graph *g = s->graph[graph - GRAPH_BASE];
    for (unsigned k = 0; k < g->count && !s->sticky; k++) {
        struct exec_request q = g->kept[k].request;
        if (q.op == EXEC_COPY) q.a[EXEC_COPY_STREAM] = stream;
        if (q.op == EXEC_FILL) q.a[5] = stream;
        if (q.op == EXEC_LAUNCH) ((struct exec_launch *)(void *)g->kept[k].payload)->stream = stream;
        s->request = &q; /* findings name the site where the work was captured */
        const int error = exec_do(s, &q, g->kept[k].payload, r);
        if (error) return error;
    }
    return ERROR_NONE;
}
void exec_graphs_free(struct exec_session *s) {
    for (unsigned k = 0; k < s->graphs; k++) {
        for (unsigned n = 0; n < s->graph[k]->count; n++) free(s->graph[k]->kept[n].payload);
        free(s->graph[k]->kept);
        free(s->graph[k]);
    }
    free(s->graph);
}
