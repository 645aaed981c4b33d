/* See reserve.h. Large arrays are mapped, because calloc() would count the whole array toward the overcommit limit.
 * Small arrays come from calloc(), because a mapping costs more than their use: two system calls, a page fault, and an
 * interrupt on each core that runs a thread. */
#include "base/reserve.h"
#include <stddef.h>
#include <stdlib.h>

#ifdef __wasm__ /* WebAssembly has no mmap() */
void *reserve(uint64_t bytes) { return bytes <= PTRDIFF_MAX ? calloc(1, (size_t)bytes + !bytes) : NULL; }
void reserve_free(void *p, uint64_t bytes) {
    (void)bytes;
    free(p);
}
#else
#include <sys/mman.h>
enum { SMALL = 1 << 16 };
void *reserve(uint64_t bytes) {
    if (bytes < SMALL) return calloc(1, (size_t)bytes + !bytes);
    if (bytes > PTRDIFF_MAX) return NULL;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}
void reserve_free(void *p, uint64_t bytes) {
    if (bytes < SMALL)
        free(p);
    else if (p)
        munmap(p, bytes);
}
#endif
