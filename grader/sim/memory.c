/* Global memory: a list of objects, sorted by address. Unmapped gaps between them show accesses out of bounds. */
#include "base/array.h"
#include "base/hash.h"
#include "base/random.h"
#include "model/gpus/gpu.h"
#include "sim/machine.h"
#include <stdlib.h>
#include <string.h>

enum { OBJECT_ALIGN = 256, POISON = 0xA5 };
static const uint8_t poison = POISON;

uint64_t sim_memory_limit(const struct sim *s) {
    return s->options.memory_limit ? s->options.memory_limit : UINT64_C(4) << 30;
}

uint64_t sim_after(uint64_t address, uint64_t bytes) {
    return address + (bytes + SIM_OBJECT_GAP + OBJECT_ALIGN - 1) / OBJECT_ALIGN * OBJECT_ALIGN;
}

struct sim_memory *sim_find(const struct sim *s, uint64_t address, bool *inside) {
    unsigned low = 0, high = s->object_count;
    *inside = false;
    while (low < high) { /* find the last object at or below the address */
        unsigned middle = (low + high) / 2;
        if (s->objects[middle]->object.address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!low) return NULL;
    struct sim_memory *m = s->objects[low - 1];
    *inside = address - m->object.address < m->object.size;
    return m;
}

static struct sim_memory *exact(const struct sim *s, uint64_t address) {
    bool inside;
    struct sim_memory *m = sim_find(s, address, &inside);
    return m && m->object.address == address ? m : NULL;
}

static void free_object(struct sim *s, struct sim_memory *m) {
    s->used -= m->sparse ? sim_sparse_free(m->sparse) : m->borrowed ? 0 : m->object.size;
    if (!m->borrowed) free(m->data);
    free(m);
}
/* Allocates the object's memory, unless the caller has lent it. Fills it with 0 if `zeroed`, otherwise with the poison
 * byte. Large objects get pages at their first access, which then count toward the limit. Returns false if the limit is
 * exceeded or the host is out of memory. */
static bool back(struct sim *s, struct sim_memory *m, uint64_t bytes, bool large, bool zeroed) {
    static const uint8_t zero = 0;
    if (m->borrowed) return true;
    if (large || bytes >= SIM_LARGE || (zeroed && bytes >= SIM_LARGE_ZEROED))
        return (m->sparse = sim_sparse_new(bytes, zeroed ? &zero : &poison, 1));
    const uint64_t limit = sim_memory_limit(s);
    if (bytes > limit || s->used > limit - bytes) return false;
    m->data = aligned_alloc(OBJECT_ALIGN, (bytes / OBJECT_ALIGN + 1) * OBJECT_ALIGN);
    if (!m->data) return false;
    memset(m->data, zeroed ? 0 : POISON, bytes);
    s->used += bytes;
    return true;
}
/* Inserts an object into the list, sorted by address. Most objects go to the end. */
static bool insert(struct sim *s, struct sim_memory *m) {
    struct sim_memory **objects = array_room(s->objects, s->object_count + 1, &s->object_capacity, sizeof *objects);
    if (!objects) return false;
    s->objects = objects;
    unsigned at = s->object_count++;
    for (; at && objects[at - 1]->object.address > m->object.address; at--) objects[at] = objects[at - 1];
    objects[at] = m;
    return true;
}
struct object_request {
    const char *name;
    enum sim_object_kind kind;
    enum ptx_space space;
    uint64_t address, bytes;
    unsigned flags;
    bool zeroed;
    void *data; /* memory that the caller provides; NULL to allocate it */
};
static struct sim_memory *add_object(struct sim *s, const struct object_request *w) {
    struct sim_memory *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->data = w->data, m->borrowed = w->data != NULL;
    strncpy(m->name, w->name, sizeof m->name - 1);
    m->object = (struct sim_object){.kind = w->kind,
                                    .space = w->space,
                                    .name = m->name,
                                    .address = w->address,
                                    .size = w->bytes,
                                    .element = w->flags / SIM_ELEMENT(1),
                                    .initialized = w->flags & SIM_INITIALIZED,
                                    .read_only = w->flags & SIM_READ_ONLY};
    if (!back(s, m, w->bytes, w->flags & SIM_REPEATS, w->zeroed)) return free(m), NULL;
    if (!insert(s, m)) return free_object(s, m), NULL;
    m->object.id = s->next_id++;
    return m;
}
/* Adds an object at the next free address. Addresses are never reused. */
static struct sim_memory *add_next(struct sim *s, const char *name, enum sim_object_kind kind, uint64_t bytes,
                                   unsigned flags) {
    struct sim_memory *m = add_object(s, &(struct object_request){.name = name,
                                                                  .kind = kind,
                                                                  .space = PTX_GLOBAL,
                                                                  .address = s->next_address,
                                                                  .bytes = bytes,
                                                                  .flags = flags});
    if (m) s->next_address = sim_after(s->next_address, bytes);
    return m;
}

/* Returns the gap before the next buffer, in bytes: random if `shuffle` is set, otherwise 0. Different gaps expose
 * programs that depend on their buffers' addresses. */
static uint64_t drawn_gap(const struct sim *s, uint64_t bytes) {
    const uint64_t of[] = {s->options.seed, bytes, s->next_id};
    uint64_t random = hash_bytes(HASH_START, of, sizeof of);
    return s->options.shuffle ? (random_next(&random) >> 38) * OBJECT_ALIGN : 0;
}
uint64_t sim_alloc(struct sim *s, const char *name, uint64_t bytes, unsigned flags) {
    s->next_address += drawn_gap(s, bytes);
    struct sim_memory *m = add_next(s, name, SIM_BUFFER, bytes, flags);
    return m ? m->object.address : 0;
}
bool sim_place(struct sim *s, const char *name, uint64_t address, uint64_t bytes, unsigned flags, void *data) {
    return add_object(s, &(struct object_request){name, SIM_BUFFER, PTX_GLOBAL, address, bytes, flags, false, data});
}

struct sim_memory *sim_heap_object(struct sim *s, uint64_t bytes) {
    return add_next(s, "heap memory", SIM_HEAP, bytes, SIM_UNINITIALIZED);
}

void sim_release(struct sim *s, uint64_t address) {
    for (unsigned k = 0; k < s->object_count; k++) {
        struct sim_memory *m = s->objects[k];
        if (m->object.address != address || m->object.kind != SIM_BUFFER) continue;
        memmove(&s->objects[k], &s->objects[k + 1], (--s->object_count - k) * sizeof *s->objects);
        free_object(s, m);
        return;
    }
}

void sim_retire(struct sim *s, uint64_t address) {
    struct sim_memory *m = exact(s, address);
    if (!m || m->object.kind != SIM_BUFFER || m->object.freed) return;
    s->used -= m->sparse ? sim_sparse_free(m->sparse) : m->borrowed ? 0 : m->object.size;
    if (!m->borrowed) free(m->data);
    m->sparse = NULL, m->borrowed = false, m->data = calloc(1, OBJECT_ALIGN);
    m->object.freed = m->object.size ? m->object.size : 1, m->object.size = 0;
}
bool sim_lend(struct sim *s, uint64_t address, void *data) {
    struct sim_memory *m = exact(s, address);
    if (!m || m->sparse || m->borrowed) return false;
    memcpy(data, m->data, m->object.size);
    s->used -= m->object.size;
    free(m->data);
    m->data = data, m->borrowed = true;
    return true;
}

static struct sim_memory *range(struct sim *s, uint64_t address, uint64_t bytes) {
    bool inside;
    struct sim_memory *m = sim_find(s, address, &inside);
    if (!m || address - m->object.address > m->object.size) return NULL;
    return bytes <= m->object.size - (address - m->object.address) ? m : NULL;
}
/* Copies between host memory and an object, page by page if the object is sparse. */
static bool copy(struct sim *s, struct sim_memory *m, uint64_t offset, uint8_t *host, uint64_t bytes, bool writes) {
    for (uint64_t done = 0; done < bytes;) {
        uint64_t n = bytes - done;
        const uint64_t in_page = SIM_PAGE - (offset + done) % SIM_PAGE;
        if (m->sparse && n > in_page) n = in_page;
        uint8_t *at = sim_at(s, m, offset + done, writes);
        if (!at) return false;
        if (writes)
            memcpy(at, host + done, n);
        else
            memcpy(host + done, at, n);
        done += n;
    }
    return true;
}
bool sim_write(struct sim *s, uint64_t address, const void *from, uint64_t bytes) {
    struct sim_memory *m = range(s, address, bytes);
    if (!m) return false;
    m->object.initialized = true;
    return copy(s, m, address - m->object.address, (uint8_t *)(uintptr_t)from, bytes, true);
}
bool sim_read(struct sim *s, uint64_t address, void *to, uint64_t bytes) {
    struct sim_memory *m = range(s, address, bytes);
    return m && copy(s, m, address - m->object.address, to, bytes, false);
}
bool sim_fill(struct sim *s, uint64_t address, uint64_t bytes, const void *pattern, uint64_t period) {
    struct sim_memory *m = range(s, address, bytes);
    if (!m) return false;
    m->object.initialized = true;
    if (m->sparse && address == m->object.address && bytes == m->object.size)
        return sim_sparse_fill(s, m->sparse, pattern, period);
    for (uint64_t done = 0; done < bytes; done += period)
        if (!copy(s, m, address - m->object.address + done, (uint8_t *)(uintptr_t)pattern,
                  bytes - done < period ? bytes - done : period, true))
            return false;
    return true;
}
bool sim_make(struct sim *s, uint64_t address, struct sim_maker maker) {
    struct sim_memory *m = exact(s, address);
    if (!m) return false;
    m->object.initialized = true;
    if (m->sparse) return sim_sparse_make(s, m->sparse, maker);
    maker.make(maker.context, 0, m->object.size, m->data);
    return true;
}
void *sim_host(struct sim *s, uint64_t address) {
    struct sim_memory *m = exact(s, address);
    return m ? m->data : NULL;
}
uint64_t sim_variable_of(struct sim *s, const struct sim_program *p, const char *name, uint64_t *bytes) {
    const struct ptx_variable *v = p ? ptx_find_variable(p->module, name) : NULL;
    struct sim_memory *m = NULL;
    for (unsigned k = 0; v && k < s->loaded_count; k++)
        if (s->loaded[k].program == p) m = s->loaded[k].variable[v->index];
    if (!m) return 0;
    if (bytes) *bytes = m->object.size;
    return m->object.address;
}
uint64_t sim_variable(struct sim *s, const char *name, uint64_t *bytes) {
    return sim_variable_of(s, s->program, name, bytes);
}

static void relocate(struct sim_memory *const variable[], const struct ptx_variable *v) {
    for (unsigned r = 0; variable[v->index] && r < v->relocation_count; r++) {
        const struct ptx_relocation *fix = &v->relocations[r];
        struct sim_memory *target = fix->target && !fix->target->owner ? variable[fix->target->index] : NULL;
        const uint64_t value = fix->addend + (target          ? target->object.address
                                              : fix->function ? fix->function->index + 1
                                                              : 0);
        if (fix->offset + sizeof value <= v->size) memcpy(variable[v->index]->data + fix->offset, &value, sizeof value);
    }
}
/* Creates all variables of the module before it initializes any, because an initializer may have another variable's
 * address. Variables live as long as the simulator. */
bool sim_add_program(struct sim *s, const struct sim_program *p) {
    const struct ptx_module *module = p->module;
    struct sim_loaded *loaded = array_room(s->loaded, s->loaded_count + 1, &s->loaded_capacity, sizeof *loaded);
    struct sim_memory **variable = calloc(module->variable_count + 1, sizeof *variable);
    if (loaded) s->loaded = loaded;
    if (!loaded || !variable) return free(variable), false;
    s->loaded[s->loaded_count++] = (struct sim_loaded){p, variable};
    for (unsigned k = 0; k < module->variable_count; k++) {
        const struct ptx_variable *v = module->variables[k];
        if (v->space != PTX_GLOBAL && v->space != PTX_CONST) continue;
        const unsigned flags = SIM_INITIALIZED | (v->space == PTX_CONST ? SIM_READ_ONLY : 0);
        struct sim_memory *m =
            add_object(s, &(struct object_request){v->name, SIM_VARIABLE, v->space, p->variable_address[k], v->size,
                                                   flags, !v->init, NULL});
        if (!m) return false;
        if (v->init) memcpy(m->data, v->init, v->size);
        variable[k] = m;
        const uint64_t after = sim_after(m->object.address, v->size);
        if (!s->options.heap_base && after > s->next_address) s->next_address = after;
    }
    for (unsigned k = 0; k < module->variable_count; k++) relocate(variable, module->variables[k]);
    return true;
}

struct sim *sim_new(const struct sim_program *p, const struct sim_options *options) {
    struct sim *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->program = p;
    if (options) s->options = *options;
    if (s->options.schedule.chosen) s->options.shuffle = false;
    if (s->options.schedule.chosen || s->options.schedule.stale) s->options.cores = 1;
    if (!s->options.sm_count) s->options.sm_count = gpu_default->sms;
    s->next_address = s->options.heap_base ? s->options.heap_base : SIM_GLOBAL_BASE;
    s->next_id = 1;
    if (p && !sim_add_program(s, p)) {
        sim_free(s);
        return NULL;
    }
    return s;
}
void sim_free(struct sim *s) {
    if (!s) return;
    for (unsigned k = 0; k < s->object_count; k++) free_object(s, s->objects[k]);
    free(s->objects);
    for (unsigned k = 0; k < s->loaded_count; k++) free(s->loaded[k].variable);
    free(s->loaded);
    free(s->views);
    free(s);
}

bool sim_peek(struct sim_warp *w, unsigned lane, uint64_t address, void *to, unsigned bytes) {
    struct sim_block *b = w->block;
    const uint8_t *data = NULL;
    uint64_t offset = 0, size = 0;
    bool inside;
    if (address - SIM_SHARED_WINDOW < SIM_CLUSTER_WINDOWS) {
        const struct sim_memory *m = sim_shared_at(b, address);
        if (m) data = m->data, offset = address - m->object.address, size = m->object.size;
    } else if (address - SIM_LOCAL_WINDOW < SIM_WINDOW_SIZE) {
        data = w->local ? w->local + (uint64_t)lane * w->local_bytes : NULL;
        offset = address - SIM_LOCAL_WINDOW, size = w->local_bytes;
    } else {
        struct sim *all = b->run->sim;
        struct sim_memory *m = sim_find(all, address, &inside);
        return m && range(all, address, bytes) && copy(all, m, address - m->object.address, to, bytes, false);
    }
    if (!data || size < bytes || offset > size - bytes) return false;
    memcpy(to, data + offset, bytes);
    return true;
}
