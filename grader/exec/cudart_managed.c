/* Managed memory: advice and prefetching have no effect except that the program can read them back. */
#include "exec/cudart_graph.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* One piece of advice about a range, or the last prefetch of it. Later entries come first in the list. */
enum about { READ_MOSTLY, PREFERRED, BY_DEVICE, BY_HOST, PREFETCHED };
struct advice {
    uintptr_t begin, end;
    enum about about;
    int value;
    struct advice *next;
};
static struct advice *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define NOWHERE (-2) /* cudaInvalidDeviceId */

static void note(const void *pointer, size_t bytes, enum about about, int value) {
    struct advice *a = cudart_room(1, sizeof *a);
    const uintptr_t begin = (uintptr_t)pointer;
    pthread_mutex_lock(&lock);
    *a = (struct advice){begin, begin + bytes, about, value, list}, list = a;
    pthread_mutex_unlock(&lock);
}
static int noted(const void *pointer, size_t bytes, enum about about, int otherwise) {
    const uintptr_t begin = (uintptr_t)pointer;
    pthread_mutex_lock(&lock);
    const struct advice *a = list;
    while (a && (a->about != about || a->begin >= begin + bytes || a->end <= begin)) a = a->next;
    const bool whole = a && a->begin <= begin && a->end >= begin + bytes;
    const int value = whole ? a->value : otherwise;
    pthread_mutex_unlock(&lock);
    return value;
}
void cudart_forget_advice(uintptr_t begin, size_t bytes) {
    pthread_mutex_lock(&lock);
    for (struct advice **at = &list, *a; (a = *at);)
        if (a->begin < begin + bytes && a->end > begin)
            *at = a->next, free(a);
        else
            at = &a->next;
    pthread_mutex_unlock(&lock);
}

/* Rejects memory that is not managed, or a range that extends past its end. */
static cudaError_t needs_managed(const char *call, const void *pointer, size_t bytes) {
    struct ask q = {.call = call, .op = EXEC_POINTER, .a = {(uintptr_t)pointer}};
    const cudaError_t error = cudart_is_host(pointer) ? cudaSuccess : cudart_ask(&q);
    if (error) return error;
    if (q.answer[2] != EXEC_MANAGED + 1)
        return cudart_refuse(
            call, cudaErrorInvalidValue,
            "The memory is not managed: allocate it with cudaMallocManaged(), or leave out this call.");
    const bool inside = (uintptr_t)pointer + bytes <= q.answer[0] + q.answer[1];
    return inside ? cudaSuccess
                  : cudart_refuse(call, cudaErrorInvalidValue, "The range extends past the memory's end.");
}
static cudaError_t get(const char *call, int *data, size_t bytes, enum cudaMemRangeAttribute attribute,
                       const void *pointer, size_t count) {
    if (!data || !pointer) return cudart_invalid(call);
    const cudaError_t error = needs_managed(call, pointer, count);
    if (error) return error;
    memset(data, 0, bytes);
    if (bytes < sizeof *data) return cudaSuccess;
    switch ((int)attribute) {
    case cudaMemRangeAttributeReadMostly: *data = noted(pointer, count, READ_MOSTLY, 0); break;
    case cudaMemRangeAttributePreferredLocation: *data = noted(pointer, count, PREFERRED, NOWHERE); break;
    case cudaMemRangeAttributeLastPrefetchLocation: *data = noted(pointer, count, PREFETCHED, NOWHERE); break;
    case cudaMemRangeAttributeAccessedBy: {
        size_t n = 0;
        for (size_t k = 0; k < bytes / sizeof *data; k++) data[k] = NOWHERE;
        if (noted(pointer, count, BY_HOST, 0)) data[n++] = cudaCpuDeviceId;
        if (noted(pointer, count, BY_DEVICE, 0) && n < bytes / sizeof *data) data[n] = 0;
        break;
    }
    default: break;
    }
    return cudaSuccess;
}
cudaError_t cudaMemRangeGetAttribute(void *data, size_t bytes, enum cudaMemRangeAttribute attribute,
                                     const void *pointer, size_t count) {
    return get("cudaMemRangeGetAttribute", data, bytes, attribute, pointer, count);
}
cudaError_t cudaMemRangeGetAttributes(void **data, size_t *bytes, enum cudaMemRangeAttribute *attributes, size_t number,
                                      const void *pointer, size_t count) {
    static const char call[] = "cudaMemRangeGetAttributes";
    cudaError_t error = cudaSuccess;
    if (!data || !bytes || !attributes || !pointer) return cudart_invalid(call);
    for (size_t k = 0; k < number && !error; k++) error = get(call, data[k], bytes[k], attributes[k], pointer, count);
    return error;
}
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned flags) {
    const cudaError_t error = cudart_capture_unsafe("cudaStreamAttachMemAsync");
    return error ? error : needs_managed("cudaStreamAttachMemAsync", pointer, bytes);
}
static cudaError_t prefetch(const void *pointer, size_t bytes, int device) {
    static const char call[] = "cudaMemPrefetchAsync";
    if (device && device != cudaCpuDeviceId) return cudart_refuse(call, cudaErrorInvalidDevice, NULL);
    const cudaError_t error = needs_managed(call, pointer, bytes);
    if (!error) note(pointer, bytes, PREFETCHED, device);
    return error;
}
static cudaError_t advise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device) {
    cudaError_t error = cudart_capture_unsafe("cudaMemAdvise");
    if (!error) error = needs_managed("cudaMemAdvise", pointer, bytes);
    if (error) return error;
    const enum about by = device == cudaCpuDeviceId ? BY_HOST : BY_DEVICE;
    switch (advice) {
    case cudaMemAdviseSetReadMostly: note(pointer, bytes, READ_MOSTLY, 1); break;
    case cudaMemAdviseUnsetReadMostly: note(pointer, bytes, READ_MOSTLY, 0); break;
    case cudaMemAdviseSetPreferredLocation: note(pointer, bytes, PREFERRED, device); break;
    case cudaMemAdviseUnsetPreferredLocation: note(pointer, bytes, PREFERRED, NOWHERE); break;
    case cudaMemAdviseSetAccessedBy: note(pointer, bytes, by, 1); break;
    case cudaMemAdviseUnsetAccessedBy: note(pointer, bytes, by, 0); break;
    default: return cudart_invalid("cudaMemAdvise");
    }
    return cudaSuccess;
}
#if CUDART_VERSION >= 13000
static int device_at(struct cudaMemLocation l) { return l.type == cudaMemLocationTypeDevice ? l.id : cudaCpuDeviceId; }
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned flags,
                                 cudaStream_t stream) {
    return prefetch(pointer, bytes, device_at(location));
}
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location) {
    return advise(pointer, bytes, advice, device_at(location));
}
#else
cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream) {
    return prefetch(pointer, bytes, device);
}
cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device) {
    return advise(pointer, bytes, advice, device);
}
#endif
