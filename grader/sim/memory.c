/* Global memory: a sorted list of objects with unmapped space between them, so that every access out of bounds is seen.
 */
#include "base/array.h"
#include "model/gpus/gpu.h"
#include "sim/machine.h"
#include <stdlib.h>
#include <string.h>

enum { OBJECT_ALIGN = 256, POISON = 0xA5 };
static const uint64_t default_memory_limit = UINT64_C(4) << 30;

uint64_t sim_after(uint64_t address, uint64_t bytes) {
    return address + (bytes + SIM_OBJECT_GAP + OBJECT_ALIGN - 1) / OBJECT_ALIGN * OBJECT_ALIGN;
}

struct sim_memory *sim_find(const struct sim *s, uint64_t address, bool *inside) {
    unsigned low = 0, high = s->object_count;
    *inside = false;
    while (low < high) { /* the last object that begins at or below the address */
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

/* Addresses only grow, so the new object belongs at the end of the list. */
static struct sim_memory *add_object(struct sim *s, const char *name, enum sim_object_kind kind, enum ptx_space space,
                                     uint64_t bytes, unsigned flags) {
    uint64_t limit = s->options.memory_limit ? s->options.memory_limit : default_memory_limit;
    if (bytes > limit || s->used > limit - bytes) return NULL;
    struct sim_memory **objects = array_room(s->objects, s->object_count + 1, &s->object_capacity, sizeof *objects);
    if (!objects) return NULL;
    s->objects = objects;
    struct sim_memory *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->data = aligned_alloc(OBJECT_ALIGN, (bytes / OBJECT_ALIGN + 1) * OBJECT_ALIGN);
    if (!m->data) {
        free(m);
        return NULL;
    }
    if (!(flags & SIM_INITIALISED)) memset(m->data, POISON, bytes);
    strncpy(m->name, name, sizeof m->name - 1);
    m->object = (struct sim_object){.kind = kind,
                                    .space = space,
                                    .name = m->name,
                                    .address = s->next_address,
                                    .size = bytes,
                                    .id = s->next_id++,
                                    .initialised = flags & SIM_INITIALISED,
                                    .read_only = flags & SIM_READ_ONLY};
    s->next_address = sim_after(s->next_address, bytes);
    s->used += bytes;
    s->objects[s->object_count++] = m;
    return m;
}

uint64_t sim_alloc(struct sim *s, const char *name, uint64_t bytes, unsigned flags) {
    struct sim_memory *m = add_object(s, name, SIM_BUFFER, PTX_GLOBAL, bytes, flags);
    if (m && (flags & SIM_INITIALISED)) memset(m->data, POISON, bytes);
    return m ? m->object.address : 0;
}

void sim_release(struct sim *s, uint64_t address) {
    for (unsigned k = 0; k < s->object_count; k++) {
        struct sim_memory *m = s->objects[k];
        if (m->object.address != address || m->object.kind != SIM_BUFFER) continue;
        s->used -= m->object.size;
        memmove(&s->objects[k], &s->objects[k + 1], (--s->object_count - k) * sizeof *s->objects);
        free(m->data);
        free(m);
        return;
    }
}

static struct sim_memory *range(struct sim *s, uint64_t address, uint64_t bytes) {
    bool inside;
    struct sim_memory *m = sim_find(s, address, &inside);
    if (!m || address - m->object.address > m->object.size) return NULL;
    return bytes <= m->object.size - (address - m->object.address) ? m : NULL;
}
bool sim_write(struct sim *s, uint64_t address, const void *from, uint64_t bytes) {
    struct sim_memory *m = range(s, address, bytes);
    if (!m) return false;
    if (bytes) memcpy(m->data + (address - m->object.address), from, bytes);
    m->object.initialised = true;
    return true;
}
bool sim_read(struct sim *s, uint64_t address, void *to, uint64_t bytes) {
    struct sim_memory *m = range(s, address, bytes);
    if (!m) return false;
    if (bytes) memcpy(to, m->data + (address - m->object.address), bytes);
    return true;
}
void *sim_host(struct sim *s, uint64_t address) {
    struct sim_memory *m = exact(s, address);
    return m ? m->data : NULL;
}
uint64_t sim_variable(struct sim *s, const char *name, uint64_t *bytes) {
    const struct ptx_variable *v = ptx_find_variable(s->program->module, name);
    struct sim_memory *m = v ? s->variable[v->index] : NULL;
    if (!m) return 0;
    if (bytes) *bytes = m->object.size;
    return m->object.address;
}

/* Module variables live as long as the simulator: created in the module's order, then initialised, since an initialiser
 * may hold the address of another. */
static bool make_variables(struct sim *s) {
    const struct ptx_module *module = s->program->module;
    s->variable = calloc(module->variable_count + 1, sizeof *s->variable);
    if (!s->variable) return false;
    for (unsigned k = 0; k < module->variable_count; k++) {
        const struct ptx_variable *v = module->variables[k];
        if (v->space != PTX_GLOBAL && v->space != PTX_CONST) continue;
        struct sim_memory *m = add_object(s, v->name, SIM_VARIABLE, v->space, v->size,
                                          SIM_INITIALISED | (v->space == PTX_CONST ? SIM_READ_ONLY : 0));
        if (!m) return false;
        if (v->init)
            memcpy(m->data, v->init, v->size);
        else
            memset(m->data, 0, v->size);
        s->variable[k] = m;
    }
    for (unsigned k = 0; k < module->variable_count; k++) {
        const struct ptx_variable *v = module->variables[k];
        for (unsigned r = 0; s->variable[k] && r < v->relocation_count; r++) {
            const struct ptx_relocation *fix = &v->relocations[r];
            struct sim_memory *target = fix->target && !fix->target->owner ? s->variable[fix->target->index] : NULL;
            uint64_t value = fix->addend + (target          ? target->object.address
                                            : fix->function ? fix->function->index + 1
                                                            : 0);
            if (fix->offset + sizeof value <= v->size) memcpy(s->variable[k]->data + fix->offset, &value, sizeof value);
        }
    }
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
    s->next_address = SIM_GLOBAL_BASE;
    s->next_id = 1;
    if (!make_variables(s)) {
        sim_free(s);
        return NULL;
    }
    return s;
}
void sim_free(struct sim *s) {
    if (!s) return;
    for (unsigned k = 0; k < s->object_count; k++) {
        free(s->objects[k]->data);
        free(s->objects[k]);
    }
    free(s->objects);
    free(s->variable);
    free(s);
}

bool sim_peek(struct sim_warp *w, unsigned lane, uint64_t address, void *to, unsigned bytes) {
    struct sim_block *b = w->block;
    const uint8_t *data = NULL;
    uint64_t offset = 0, size = 0;
    bool inside;
    if (address - SIM_SHARED_WINDOW < SIM_WINDOW_SIZE) {
        data = b->shared.data, offset = address - SIM_SHARED_WINDOW, size = b->shared.object.size;
    } else if (address - SIM_LOCAL_WINDOW < SIM_WINDOW_SIZE) {
        data = w->local ? w->local + (uint64_t)lane * w->local_bytes : NULL;
        offset = address - SIM_LOCAL_WINDOW, size = w->local_bytes;
    } else {
        struct sim_memory *m = sim_find(b->run->sim, address, &inside);
        if (!m || !inside) return false;
        data = m->data, offset = address - m->object.address, size = m->object.size;
    }
    if (!data || size < bytes || offset > size - bytes) return false;
    memcpy(to, data + offset, bytes);
    return true;
}
