/* Memory pools. A pool is only a handle with attributes; its memory is ordinary device memory. */
#include "exec/cudart.h"
#include <stdlib.h>

struct pool {
    uint64_t keep; /* cudaMemPoolAttrReleaseThreshold */
    int reuse[3];  /* values of cudaMemPoolReuse*, in numeric order of the attributes */
};
static struct pool usual = {.reuse = {1, 1, 1}}, *current = &usual;
static cudaMemPool_t handle_of(struct pool *p) { return (cudaMemPool_t)(void *)p; }

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    *pool = handle_of(&usual);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    *pool = handle_of(current);
    return cudaSuccess;
}
cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    current = (struct pool *)(void *)pool;
    return cudaSuccess;
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties) {
    struct pool *p = malloc(sizeof *p);
    if (!p) return cudart_refuse("cudaMemPoolCreate", cudaErrorMemoryAllocation, NULL);
    *p = usual, p->keep = 0;
    *pool = handle_of(p);
    return cudaSuccess;
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    if (current == (struct pool *)(void *)pool) current = &usual;
    if (pool != handle_of(&usual)) free((struct pool *)(void *)pool);
    return cudaSuccess;
}
/* Returns where an attribute is stored, or NULL for statistics, which are not collected. */
static void *attribute(const char *call, cudaMemPool_t pool, enum cudaMemPoolAttr name) {
    struct pool *p = (struct pool *)(void *)pool;
    switch (name) {
    case cudaMemPoolReuseFollowEventDependencies: return &p->reuse[0];
    case cudaMemPoolReuseAllowOpportunistic: return &p->reuse[1];
    case cudaMemPoolReuseAllowInternalDependencies: return &p->reuse[2];
    case cudaMemPoolAttrReleaseThreshold: return &p->keep;
    default: cudart_missing(call);
    }
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr name, void *value) {
    void *to = attribute("cudaMemPoolSetAttribute of statistics", pool, name);
    if (name == cudaMemPoolAttrReleaseThreshold)
        *(uint64_t *)to = *(uint64_t *)value;
    else
        *(int *)to = *(int *)value;
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr name, void *value) {
    const void *from = attribute("cudaMemPoolGetAttribute of statistics", pool, name);
    if (name == cudaMemPoolAttrReleaseThreshold)
        *(uint64_t *)value = *(const uint64_t *)from;
    else
        *(int *)value = *(const int *)from;
    return cudaSuccess;
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) { return cudaSuccess; }
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *access, size_t count) {
    return cudaSuccess;
}
cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool, struct cudaMemLocation *where) {
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
}
