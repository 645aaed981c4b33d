/* Memory that the program allocates itself and registers with cudaHostRegister(). Its pages are replaced by pinned
 * memory, which the simulator shares. As on devices whose canUseHostPointerForRegisteredMem is 0, kernels access it at
 * another address (cudaHostGetDevicePointer()). */
#include "exec/cudart_graph.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct registration {
    struct registration *next;
    uintptr_t pointer, first, end; /* first, end: range of pages */
    void *alias;                   /* second address of page `first`; NULL if the pages are not shared */
} * all;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *cudart_registered(const void *pointer) {
    const uintptr_t p = (uintptr_t)pointer;
    void *alias = NULL;
    pthread_mutex_lock(&lock);
    for (const struct registration *r = all; r && !alias; r = r->next)
        if (r->alias && p >= r->pointer && p < r->end) alias = (char *)r->alias + (p - r->first);
    pthread_mutex_unlock(&lock);
    return alias;
}
/* Returns whether the range can be mapped into the GPU's address space. The current stack cannot, because it changes
 * while it is copied. A page that is already registered cannot, because a page can have only one alias. */
static bool can_share(const struct registration *new) {
    const uintptr_t here = (uintptr_t) & new, near = 16 << 20;
    if (new->first<here + near &&new->end + near> here) return false;
    for (const struct registration *r = all; r; r = r->next)
        if (r->first < new->end &&new->first < r->end) return false;
    return true;
}
static cudaError_t share(struct registration *r) {
    const size_t bytes = r->end - r->first;
    struct ask q = {.call = "cudaHostRegister", .op = EXEC_ALLOCATE, .a = {bytes, EXEC_PINNED}};
    const cudaError_t error = cudart_ask(&q);
    if (error) return error;
    const int again = dup(q.descriptor);
    if (!cudart_map(q.answer[0], q.answer[1], q.descriptor))
        return close(again), cudart_refuse("cudaHostRegister", cudaErrorMemoryAllocation, NULL);
    memcpy((void *)q.answer[0], (void *)r->first, bytes);
    if (mmap((void *)r->first, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, again, 0) != MAP_FAILED)
        r->alias = (void *)q.answer[0];
    close(again);
    return cudaSuccess;
}
/* Replaces the shared pages with private pages that have the same contents. */
static cudaError_t take_back(const struct registration *r) {
    const size_t bytes = r->end - r->first;
    char *own = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (own == MAP_FAILED) return cudart_refuse("cudaHostUnregister", cudaErrorMemoryAllocation, NULL);
    memcpy(own, (void *)r->first, bytes);
    mremap(own, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)r->first);
    return cudart_release("cudaHostUnregister", r->alias, EXEC_FREE_PINNED);
}
cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned flags) {
    static const char call[] = "cudaHostRegister";
    cudaError_t error = cudart_capture_unsafe(call);
    if (error) return error;
    const unsigned known =
        cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (!pointer || !bytes || !cudart_is_host(pointer) || flags & ~known)
        return cudart_refuse(call, cudaErrorInvalidValue, NULL);
    const uintptr_t page = sysconf(_SC_PAGESIZE), p = (uintptr_t)pointer;
    struct registration *r = calloc(1, sizeof *r);
    *r = (struct registration){.pointer = p, .first = p & -page, .end = (p + bytes + page - 1) & -page};
    bool twice = false;
    pthread_mutex_lock(&lock);
    for (const struct registration *o = all; o; o = o->next) twice |= o->pointer == p;
    if (!twice && can_share(r)) error = share(r);
    if (!twice && !error) r->next = all, all = r;
    pthread_mutex_unlock(&lock);
    if (!twice && !error) return cudaSuccess;
    free(r);
    return error ? error : cudart_refuse(call, cudaErrorHostMemoryAlreadyRegistered, NULL);
}
cudaError_t cudaHostUnregister(void *pointer) {
    cudaError_t error = cudart_capture_unsafe("cudaHostUnregister");
    if (error) return error;
    pthread_mutex_lock(&lock);
    struct registration **at = &all, *r;
    while (*at && (*at)->pointer != (uintptr_t)pointer) at = &(*at)->next;
    if ((r = *at)) *at = r->next;
    pthread_mutex_unlock(&lock);
    if (!r) return cudart_refuse("cudaHostUnregister", cudaErrorHostMemoryNotRegistered, NULL);
    if (r->alias) error = take_back(r);
    free(r);
    return error;
}
