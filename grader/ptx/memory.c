/* The memory of a module, and the growable arrays of the parser. */
#include "base/arena.h"
#include "base/array.h"
#include "ptx/parser.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_MEMORY = 1 << 29 };

struct ptx_module *ptx_new_module(void) {
    struct ptx_module *module = calloc(1, sizeof *module);
    if (module && !(module->owned = calloc(1, sizeof *module->owned))) free(module), module = NULL;
    return module;
}

void ptx_free(struct ptx_module *module) {
    if (!module) return;
    for (unsigned k = 0; k < module->function_count; k++) free(module->functions[k]->facts);
    arena_free(module->owned);
    free(module->owned);
    free(module);
}

void *ptx_take(struct parser *p, size_t count, size_t size) {
    struct arena *a = p->module->owned;
    if (a->bytes > MAX_MEMORY || (size && count > (MAX_MEMORY - a->bytes) / size))
        ptx_fail(p, p->line, "the module needs more memory than %d MiB", MAX_MEMORY >> 20);
    void *taken = arena_take(a, count * size);
    if (!taken) ptx_fail(p, p->line, "out of memory");
    return taken;
}
char *ptx_copy(struct parser *p, const char *text, size_t length) {
    char *copy = ptx_take(p, length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

void *ptx_push(struct parser *p, struct vector_of *v, size_t size) {
    void *items = v->count >= MAX_MEMORY / size ? NULL : array_room(v->items, v->count + 1, &v->capacity, size);
    if (!items) ptx_fail(p, p->line, "out of memory");
    v->items = items;
    return memset((char *)v->items + size * v->count++, 0, size);
}
void *ptx_keep(struct parser *p, struct vector_of *v, size_t size, unsigned *count) {
    /* One item more than needed, so that callers may index an empty array. */
    void *kept = ptx_take(p, v->count + 1, size);
    if (v->count) memcpy(kept, v->items, v->count * size);
    *count = v->count;
    v->count = 0;
    return kept;
}
