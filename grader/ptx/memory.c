/* What a module owns: blocks that hang on it and go with it; and the parser's growing arrays. */
#include "base/array.h"
#include "ptx/parser.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16, MAX_MEMORY = 1 << 29 };

struct block {
    struct block *next;
    size_t used, size;
    max_align_t data[];
};
struct ptx_owned {
    struct block *blocks;
    size_t total;
};

struct ptx_module *ptx_new_module(void) {
    struct ptx_module *module = calloc(1, sizeof *module);
    if (module && !(module->owned = calloc(1, sizeof *module->owned))) free(module), module = NULL;
    return module;
}

void ptx_free(struct ptx_module *module) {
    struct ptx_owned *o = module ? module->owned : NULL;
    while (o && o->blocks) {
        struct block *next = o->blocks->next;
        free(o->blocks);
        o->blocks = next;
    }
    free(o);
    free(module);
}

void *ptx_take(struct parser *p, size_t count, size_t size) {
    struct ptx_owned *o = p->module->owned;
    if (size && count > MAX_MEMORY / size)
        ptx_fail(p, p->line, "the module needs more memory than %d MiB", MAX_MEMORY >> 20);
    const size_t align = _Alignof(max_align_t), bytes = (count * size + align - 1) / align * align;
    struct block *b = o->blocks;
    if (!b || b->size - b->used < bytes) {
        const size_t room = bytes > BLOCK / 8 ? bytes : BLOCK;
        if (o->total + room > MAX_MEMORY)
            ptx_fail(p, p->line, "the module needs more memory than %d MiB", MAX_MEMORY >> 20);
        b = calloc(1, sizeof *b + room);
        if (!b) ptx_fail(p, p->line, "out of memory");
        b->size = room;
        o->total += room;
        if (room > BLOCK && o->blocks) { /* filled at once: the block in use stays first */
            b->next = o->blocks->next;
            o->blocks->next = b;
        } else {
            b->next = o->blocks;
            o->blocks = b;
        }
    }
    void *taken = (char *)b->data + b->used;
    b->used += bytes;
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
    void *kept = ptx_take(p, v->count + 1, size); /* never empty: callers may index it */
    if (v->count) memcpy(kept, v->items, v->count * size);
    *count = v->count;
    v->count = 0;
    return kept;
}
