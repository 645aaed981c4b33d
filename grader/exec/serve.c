/* Answers the program's requests, one at a time, until it exits. */
#include "exec/serve.h"
#include "model/gpus/gpu.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAX_PAYLOAD = 1 << 30 };

bool exec_reply_add(struct exec_reply *r, const void *data, size_t bytes) {
    if (r->head.bytes + bytes > r->room) {
        const size_t room = 2 * (r->head.bytes + bytes);
        uint8_t *more = realloc(r->bytes, room);
        if (!more) return false;
        r->bytes = more, r->room = room;
    }
    memcpy(r->bytes + r->head.bytes, data, bytes);
    r->head.bytes += bytes;
    return true;
}

/* ---- the socket ------------------------------------------------------------------------------ */
static bool read_all(int fd, void *to, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        const ssize_t n = read(fd, (uint8_t *)to + done, bytes - done);
        if (n < 0 && errno == EINTR && !exec_interrupted) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}
static bool write_all(int fd, const void *from, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        const ssize_t n = send(fd, (const uint8_t *)from + done, bytes - done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return false;
        done += (size_t)n;
    }
    return true;
}
/* Sends the head of an answer and its file descriptor, if any. */
static bool write_head(int fd, const struct exec_reply *r) {
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {.head = {.cmsg_len = CMSG_LEN(sizeof(int)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS}};
    struct iovec part = {(void *)(uintptr_t)&r->head, sizeof r->head};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1};
    if (!r->head.descriptor) return write_all(fd, &r->head, sizeof r->head);
    memcpy(CMSG_DATA(&control.head), &r->descriptor, sizeof r->descriptor);
    m.msg_control = &control, m.msg_controllen = sizeof control.bytes;
    return sendmsg(fd, &m, MSG_NOSIGNAL) == (ssize_t)sizeof r->head;
}

/* ---- requests --------------------------------------------------------------------------------- */
static int hello(struct exec_session *s, struct exec_reply *r) {
    struct exec_device d = {.memory = exec_memory_total(s),
                            .shared_sm = gpu_default->shared_bytes + gpu_default->reserved_shared_bytes,
                            .l2 = gpu_default->l2_bytes,
                            .sms = gpu_default->sms,
                            .threads_sm = gpu_default->max_threads,
                            .blocks_sm = gpu_default->max_blocks,
                            .cluster_blocks_sm = gpu_default->cluster_blocks,
                            .clock_khz = (uint32_t)(gpu_default->clock_mhz * 1000),
                            .reserved_shared = gpu_default->reserved_shared_bytes};
    memcpy(d.gpc, gpu_default->gpc, sizeof d.gpc);
    sscanf(gpu_default->compute_capability, "%u.%u", &d.major, &d.minor);
    snprintf(d.name, sizeof d.name, "%s (simulated)", gpu_default->title);
    s->version = (int)s->request->a[0];
    return exec_reply_add(r, &d, sizeof d) ? ERROR_NONE : ERROR_MEMORY;
}
static int module(struct exec_session *s, const struct exec_request *q, const uint8_t *payload, struct exec_reply *r) {
    int error = exec_module_add(s, payload, q->bytes);
    const unsigned number = s->modules - 1;
    if (error) return error;
    r->head.a[0] = number;
    if (q->a[0] && !exec_module_use(s, number, &error))
        exec_reply_add(r, s->module[number]->why, strlen(s->module[number]->why) + 1);
    return error;
}
static int limit(struct exec_session *s, uint64_t kernel, enum exec_limit limit, uint64_t bytes) {
    uint32_t shared, local;
    if (limit == EXEC_PRINT) return sim_limit_print(s->sim, bytes), ERROR_NONE;
    if (kernel >= s->kernels) return ERROR_DEVICE_FUNCTION;
    struct exec_launched *k = &s->kernel[kernel];
    if (limit == EXEC_CLUSTER) return k->large_clusters = bytes, ERROR_NONE;
    sim_kernel_bytes(k->module->program, k->function, &shared, &local);
    if (shared + bytes > gpu_default->shared_bytes) {
        exec_add_finding(
            s, HOST_LAUNCH, NULL,
            "%" PRIu64
            " bytes of dynamic shared memory are requested, in addition to the %u that the kernel declares: a "
            "block has at most %u.",
            bytes, shared, gpu_default->shared_bytes);
        return ERROR_VALUE;
    }
    if (bytes > k->most_dynamic) k->most_dynamic = bytes;
    return ERROR_NONE;
}
static int pointer(struct exec_session *s, uint64_t address, struct exec_reply *r) {
    const struct exec_object *o = exec_find(s, address);
    if (!o || !o->live || address >= o->address + o->bytes) return ERROR_NONE;
    r->head.a[0] = o->address, r->head.a[1] = o->bytes, r->head.a[2] = (uint64_t)o->kind + 1;
    return ERROR_NONE;
}
/* Handles a page fault: the program accessed memory that is not mapped on the host, or that the device is using. */
static int fault(struct exec_session *s, const struct exec_request *q, const uint8_t *registers, struct exec_reply *r) {
    uint64_t address = q->a[0];
    char where[320];
    const char *verb = q->a[1] ? "writes" : "reads";
    if (address >= EXEC_SHARED_BASE && address < EXEC_SHARED_END) {
        const struct exec_object *o = exec_find(s, address);
        if (o && o->live) return exec_host_touches(s, address, q->a[1] != 0), r->head.a[0] = 1, ERROR_NONE;
        if (o)
            exec_add_finding(s, HOST_FREED, NULL, "The host %s `%s`, which was freed%s.", verb, o->name,
                             exec_at(&o->freed, where, sizeof where));
        if (o) return ERROR_NONE;
    }
    /* Linux does not report a non-canonical address, but a register contains this address or one close to it */
    for (size_t k = 0; !address && k + 8 <= q->bytes; k += 8) {
        uint64_t value;
        memcpy(&value, registers + k, sizeof value);
        if (value >= EXEC_FAR_BASE && exec_find(s, value)) address = value;
    }
    const struct exec_object *o = exec_find(s, address);
    const struct exec_site *at = exec_here(s);
    snprintf(s->crash, sizeof s->crash, "%s", exec_at(at, where, sizeof where));
    if (o && (o->kind == EXEC_ON_DEVICE || o->variable))
        exec_add_finding(
            s, HOST_DEVICE_POINTER, NULL,
            "The host %s `%s`, which is device memory: the host cannot access it. Copy it with cudaMemcpy%s().", verb,
            o->name, o->variable ? "FromSymbol" : "");
    return ERROR_NONE;
}
static int bye(struct exec_session *s, const struct exec_request *q) {
    const int error = (int)q->a[0];
    s->said_bye = true;
    const char *call = strcmp(q->call, "<<<>>>") != 0 ? q->call : "The launch";
    if (error && exec_of_driver(call))
        exec_add_finding(s, HOST_UNSEEN, NULL, "%s() returned CUresult %d, and the program never checked it.", call,
                         error);
    else if (error)
        exec_add_finding(
            s, HOST_UNSEEN, NULL,
            "%s%s returned %s, and the program never checked it: check the return value of each call, and call "
            "cudaGetLastError() after each launch.",
            call, call == q->call ? "()" : "", exec_error_name(error));
    return ERROR_NONE;
}
/* Returns whether the call also returns the errors of earlier launches. */
static bool is_told_of_failures(enum exec_op op) {
    return op == EXEC_ALLOCATE || op == EXEC_ARRAY || op == EXEC_FREE || op == EXEC_COPY || op == EXEC_FILL ||
           op == EXEC_LAUNCH || op == EXEC_FINISH || op == EXEC_RECORD;
}
/* Records that the stream allocates or frees the object at `address`. For race detection, this is a write of all its
 * bytes. */
static void in_stream(struct exec_session *s, uint64_t stream, uint64_t address) {
    const struct exec_object *o = address ? exec_find(s, address) : NULL;
    if (!o || !o->live || o->address != address) return;
    struct exec_access whole = {.begin = o->address, .end = o->address + o->bytes, .how = EXEC_WRITES};
    exec_work(s, stream, s->request->call, &whole, 1, 0, false);
}
static int memory_call(struct exec_session *s, const struct exec_request *q, const uint8_t *payload,
                       struct exec_reply *r) {
    const uint64_t *a = q->a;
    switch (q->op) {
    case EXEC_ALLOCATE: {
        const int error = exec_allocate(s, a[0], (enum exec_memory)a[1], r);
        if (!error && a[2]) in_stream(s, a[3], r->head.a[0]);
        return error;
    }
    case EXEC_FREE: {
        if (a[2]) in_stream(s, a[3], a[0]);
        const int error = exec_free(s, a[0], (enum exec_free)a[1]);
        return error || a[2] ? error : exec_finish(s, EXEC_ALL, r);
    }
    case EXEC_COPY: return exec_copy(s, a, payload, r);
    case EXEC_FILL: return exec_fill(s, a, r);
    case EXEC_VARIABLE: return exec_variable(s, (unsigned)a[0], (const char *)payload, a[1] != 0, r);
    case EXEC_ARRAY:
        return q->bytes < sizeof(struct exec_array)
                   ? ERROR_VALUE
                   : exec_array_new(s, (const struct exec_array *)(const void *)payload, r);
    case EXEC_LAYOUT: return exec_array_about(s, a[0], a[1], r);
    case EXEC_TEXTURE:
        return q->bytes < sizeof(struct exec_texture)
                   ? ERROR_VALUE
                   : exec_texture_new(s, (const struct exec_texture *)(const void *)payload, r);
    case EXEC_NO_TEXTURE: return exec_texture_end(s, a[0], a[1] != 0);
    case EXEC_POINTER: return pointer(s, a[0], r);
    case EXEC_VIRTUAL: return exec_virtual(s, a, r);
    case EXEC_LEND: return exec_lend(s, a[0]);
    case EXEC_INFO: return r->head.a[1] = exec_memory_total(s), r->head.a[0] = r->head.a[1] - s->used, ERROR_NONE;
    default: return ERROR_NOT_SUPPORTED;
    }
}
static int order_call(struct exec_session *s, const struct exec_request *q, struct exec_reply *r) {
    const uint64_t *a = q->a;
    switch (q->op) {
    case EXEC_STREAM: return (r->head.a[0] = exec_stream_new(s, (unsigned)a[0])) ? ERROR_NONE : ERROR_MEMORY;
    case EXEC_EVENT: return (r->head.a[0] = exec_event_new(s, (unsigned)a[0])) ? ERROR_NONE : ERROR_MEMORY;
    case EXEC_FORGET: return exec_handle_forget(s, a[0]);
    case EXEC_RECORD: return exec_record(s, a[0], a[1]);
    case EXEC_WAIT: return exec_wait(s, a[0], a[1]);
    case EXEC_FINISH: return exec_finish(s, a[0], r);
    case EXEC_ELAPSED: return exec_elapsed(s, a[0], a[1], &r->head.a[0]);
    case EXEC_KNOWN: return exec_stream_known(s, a[0]) ? ERROR_NONE : ERROR_HANDLE;
    default: return memory_call(s, q, NULL, r);
    }
}
static int perform(struct exec_session *s, const struct exec_request *q, const uint8_t *payload, struct exec_reply *r) {
    switch (q->op) {
    case EXEC_HELLO: return hello(s, r);
    case EXEC_MODULE: return module(s, q, payload, r);
    case EXEC_KERNEL: return exec_kernel_find(s, (unsigned)q->a[0], (const char *)payload, r);
    case EXEC_NAMES: return exec_kernel_names(s, (unsigned)q->a[0], r);
    case EXEC_LIMIT: return limit(s, q->a[0], (enum exec_limit)q->a[1], q->a[2]);
    case EXEC_LAUNCH:
        return q->bytes < sizeof(struct exec_launch)
                   ? ERROR_VALUE
                   : exec_launch(s, (const struct exec_launch *)(const void *)payload,
                                 payload + sizeof(struct exec_launch), q->bytes - sizeof(struct exec_launch), r);
    case EXEC_FAULT: return fault(s, q, payload, r);
    case EXEC_FAILED:
        if (payload[0]) exec_add_finding(s, HOST_FAILED, NULL, "%s", (const char *)payload);
        return (int)q->a[0];
    case EXEC_MISSING:
        snprintf(s->missing_about, sizeof s->missing_about, "%s", (const char *)payload);
        return snprintf(s->missing, sizeof s->missing, "%s", q->call), ERROR_NOT_SUPPORTED;
    case EXEC_RESET: return exec_forget_memory(s), s->was_reset = true, s->sticky = 0, exec_finish(s, EXEC_ALL, r);
    case EXEC_BYE: return bye(s, q);
    case EXEC_COPY:
    case EXEC_FILL:
    case EXEC_ARRAY:
    case EXEC_TEXTURE:
    case EXEC_VARIABLE: return memory_call(s, q, payload, r);
    default: return order_call(s, q, r);
    }
}

/* ---- the session ------------------------------------------------------------------------------ */
static void answer(struct exec_session *s, const struct exec_request *q, const uint8_t *payload, struct exec_reply *r) {
    s->request = q;
    if (s->sticky && is_told_of_failures(q->op))
        r->head.error = s->sticky;
    else {
        r->head.error = perform(s, q, payload, r);
        if (!r->head.error && s->sticky && q->op != EXEC_LAUNCH && is_told_of_failures(q->op))
            r->head.error = s->sticky;
    }
    r->head.descriptor = r->descriptor >= 0;
}
void exec_serve(struct exec_session *s) {
    struct exec_request q;
    struct exec_reply r = {.descriptor = -1};
    uint8_t *payload = NULL;
    size_t room = 0;
    while (!exec_interrupted && !s->missing[0] && read_all(s->socket, &q, sizeof q)) {
        q.call[EXEC_NAME - 1] = 0;
        if (q.bytes >= MAX_PAYLOAD || q.frames > EXEC_FRAMES) break;
        if (q.bytes + 8 > room) {
            uint8_t *more = realloc(payload, room = q.bytes + 8);
            if (!more) break;
            payload = more;
        }
        if (!read_all(s->socket, payload, q.bytes)) break;
        memset(payload + q.bytes, 0, 8); /* terminates names */
        memset(&r.head, 0, sizeof r.head);
        r.descriptor = -1;
        answer(s, &q, payload, &r);
        if (!write_head(s->socket, &r) || !write_all(s->socket, r.range, r.head.ranges * sizeof *r.range) ||
            !write_all(s->socket, r.bytes, r.head.bytes))
            break;
    }
    free(payload);
    free(r.bytes);
    free(r.range);
}
