/* Memory pools. A pool is only a handle with attributes; its memory is ordinary device memory. */
#include "exec/cudart_graph.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct pool {
    uint64_t keep; /* cudaMemPoolAttrReleaseThreshold */
    int reuse[3];  /* values of cudaMemPoolReuse*, in numeric order of the attributes */
    uint64_t used, high;
    struct pool *next;
};
static struct pool usual = {.reuse = {1, 1, 1}}, *current = &usual, *pools = &usual;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static cudaMemPool_t handle_of(struct pool *p) { return (cudaMemPool_t)(void *)p; }
/* Returns the pool of a handle, or NULL if there is none. */
static struct pool *find(cudaMemPool_t handle) {
    pthread_mutex_lock(&lock);
    struct pool *p = pools;
    while (p && handle_of(p) != handle) p = p->next;
    pthread_mutex_unlock(&lock);
    return p;
}

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    if (!pool) return cudart_invalid("cudaDeviceGetDefaultMemPool");
    *pool = handle_of(&usual);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    if (!pool) return cudart_invalid("cudaDeviceGetMemPool");
    *pool = handle_of(current);
    return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    struct pool *p = find(pool);
    const cudaError_t error = cudart_capture_unsafe("cudaDeviceSetMemPool");
    if (error) return error;
    if (!p) return cudart_invalid("cudaDeviceSetMemPool");
    current = p;
    return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties) {
    const cudaError_t error = cudart_capture_unsafe("cudaMemPoolCreate");
    if (error) return error;
    if (!pool) return cudart_invalid("cudaMemPoolCreate");
    struct pool *p = cudart_room(1, sizeof *p);
    *p = (struct pool){.reuse = {1, 1, 1}};
    pthread_mutex_lock(&lock);
    p->next = pools, pools = p;
    pthread_mutex_unlock(&lock);
    *pool = handle_of(p);
    return cudaSuccess;
}
/* The pool's memory may still be in use, so the pool is not freed. */
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    struct pool *p = find(pool), **at = &pools;
    if (!p || p == &usual) return cudart_invalid("cudaMemPoolDestroy");
    pthread_mutex_lock(&lock);
    while (*at != p) at = &(*at)->next;
    *at = p->next;
    pthread_mutex_unlock(&lock);
    if (current == p) current = &usual;
    return cudaSuccess;
}
/* Returns where an attribute is stored, and its size. A pool reserves only the memory in use. */
static void *attribute(cudaMemPool_t pool, enum cudaMemPoolAttr name, size_t *size) {
    struct pool *p = find(pool);
    if (!p) return NULL;
    *size = sizeof p->keep;
    switch (name) {
    case cudaMemPoolReuseFollowEventDependencies: return *size = sizeof p->reuse[0], &p->reuse[0];
    case cudaMemPoolReuseAllowOpportunistic: return *size = sizeof p->reuse[1], &p->reuse[1];
    case cudaMemPoolReuseAllowInternalDependencies: return *size = sizeof p->reuse[2], &p->reuse[2];
    case cudaMemPoolAttrReleaseThreshold: return &p->keep;
    case cudaMemPoolAttrReservedMemCurrent:
    case cudaMemPoolAttrUsedMemCurrent: return &p->used;
    case cudaMemPoolAttrReservedMemHigh:
    case cudaMemPoolAttrUsedMemHigh: return &p->high;
    default: return NULL;
    }
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr name, void *value) {
    size_t size;
    void *to = attribute(pool, name, &size);
    const cudaError_t error = cudart_capture_unsafe("cudaMemPoolSetAttribute");
    if (error) return error;
    if (!to || !value) return cudart_invalid("cudaMemPoolSetAttribute");
    memcpy(to, value, size);
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr name, void *value) {
    size_t size;
    const void *from = attribute(pool, name, &size);
    const cudaError_t error = cudart_capture_unsafe("cudaMemPoolGetAttribute");
    if (error) return error;
    if (!from || !value) return cudart_invalid("cudaMemPoolGetAttribute");
    memcpy(value, from, size);
    return cudaSuccess;
}
/* ---- memory in use ---- */
struct taken {
    const void *pointer;
    size_t bytes;
    struct pool *pool;
    struct taken *next;
};
static struct taken *list;
void cudart_pool_take(cudaMemPool_t pool, const void *pointer, size_t bytes) {
    struct taken *t = cudart_room(1, sizeof *t);
    struct pool *p = pool ? (struct pool *)(void *)pool : current;
    pthread_mutex_lock(&lock);
    *t = (struct taken){pointer, bytes, p, list};
    list = t, p->used += bytes;
    if (p->used > p->high) p->high = p->used;
    pthread_mutex_unlock(&lock);
}
void cudart_pool_return(const void *pointer) {
    pthread_mutex_lock(&lock);
    struct taken **at = &list, *t;
    while (*at && (*at)->pointer != pointer) at = &(*at)->next;
    if ((t = *at)) t->pool->used -= t->bytes, *at = t->next;
    pthread_mutex_unlock(&lock);
    free(t);
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) {
    const cudaError_t error = cudart_capture_unsafe("cudaMemPoolTrimTo");
    return error || find(pool) ? error : cudart_invalid("cudaMemPoolTrimTo");
}
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access, size_t count) {
    return find(pool) ? cudaSuccess : cudart_invalid("cudaMemPoolSetAccess");
}
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *where) {
    if (!flags) return cudart_invalid("cudaMemPoolGetAccess");
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
}
