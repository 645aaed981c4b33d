/* See reserve.h. calloc() would count all of it against the overcommit limit. */
#include "base/reserve.h"
#include <stddef.h>

#ifdef __wasm__ /* has no pages */
#include <stdlib.h>
void *reserve(uint64_t bytes) { return bytes <= PTRDIFF_MAX ? calloc(1, (size_t)bytes + !bytes) : NULL; }
void reserve_free(void *p, uint64_t bytes) {
    (void)bytes;
    free(p);
}
#else
#include <sys/mman.h>
void *reserve(uint64_t bytes) {
    if (bytes > PTRDIFF_MAX) return NULL;
    void *p = mmap(NULL, bytes + !bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}
void reserve_free(void *p, uint64_t bytes) {
    if (p) munmap(p, bytes + !bytes);
}
#endif
