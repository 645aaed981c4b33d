/* Virtual memory management (cuMemAddressReserve() and related calls). A reservation is one object, because kernels
 * index all memory that is mapped into it with one pointer. Its memory in this process is a range of the same size.
 * Physical memory is a file, which is mapped there. Kernels may access the object up to the end of the last mapping for
 * which access was set; gaps between mappings read as zeros. */
#include "base/array.h"
#include "exec/serve.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HANDLE_BASE (UINT64_C(1) << 59) /* start of the handles of physical memory; no pointer has such a value */
#define HANDLE_STEP (UINT64_C(1) << 40)

static bool back(const struct exec_object *o, uint64_t offset, uint64_t bytes, int file, uint64_t from) {
    const int flags = MAP_FIXED | MAP_NORESERVE | (file < 0 ? MAP_PRIVATE | MAP_ANONYMOUS : MAP_SHARED);
    return mmap(o->shared + offset, bytes, PROT_READ | PROT_WRITE, flags, file, (off_t)from) != MAP_FAILED;
}
static struct exec_object *new_object(struct exec_session *s, uint64_t bytes) {
    struct exec_object *all = array_room(s->object, s->objects + 1, &s->objects_room, sizeof *all);
    if (!all) return NULL;
    s->object = all;
    struct exec_object *o = &all[s->objects];
    *o = (struct exec_object){.reserved = bytes, .live = true, .written = true, .descriptor = -1};
    exec_name_object(s, o);
    return o;
}
static int reserve_range(struct exec_session *s, uint64_t bytes, struct exec_reply *r) {
    struct exec_object *o = new_object(s, bytes);
    if (!o || !bytes || bytes % EXEC_PAGE) return o ? ERROR_VALUE : ERROR_MEMORY;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    o->address = p == MAP_FAILED ? 0 : exec_next_address(s, bytes, EXEC_PAGE);
    if (!o->address) return p == MAP_FAILED ? ERROR_MEMORY : (munmap(p, bytes), ERROR_MEMORY);
    o->shared = p, o->lent = true; /* the program need not free a reservation */
    s->objects++;
    return r->head.a[0] = o->address, ERROR_NONE;
}
static int create(struct exec_session *s, uint64_t bytes, struct exec_reply *r) {
    struct exec_object *o = new_object(s, bytes);
    if (!o || !bytes || bytes % EXEC_PAGE) return o ? ERROR_VALUE : ERROR_MEMORY;
    if (bytes > exec_memory_total(s) || s->used > exec_memory_total(s) - bytes) return ERROR_MEMORY;
    o->descriptor = memfd_create("exec", MFD_CLOEXEC);
    if (o->descriptor < 0 || ftruncate(o->descriptor, (off_t)bytes)) return ERROR_MEMORY;
    o->address = HANDLE_BASE + s->objects * HANDLE_STEP, o->bytes = bytes;
    s->used += bytes, s->objects++;
    return r->head.a[0] = o->address, ERROR_NONE;
}
/* Returns the live reservation that contains the range. If there is none, reports a finding and returns NULL. */
static struct exec_object *reservation(struct exec_session *s, uint64_t address, uint64_t bytes) {
    for (unsigned k = s->objects; k-- > 0;) {
        struct exec_object *o = &s->object[k];
        if (o->live && o->reserved && o->shared && address >= o->address && bytes <= o->reserved &&
            address - o->address <= o->reserved - bytes)
            return o;
    }
    exec_add_finding(s, HOST_FAILED, NULL,
                     "%s(): the %" PRIu64 " bytes at this address are not inside one reservation.", s->request->call,
                     bytes);
    return NULL;
}
static struct exec_object *physical(struct exec_session *s, uint64_t handle) {
    struct exec_object *o = handle >= HANDLE_BASE ? exec_find(s, handle) : NULL;
    if (o && o->live && o->address == handle && !o->shared) return o;
    exec_add_finding(s, HOST_FAILED, NULL, "%s(): the handle is not that of memory from cuMemCreate().",
                     s->request->call);
    return NULL;
}
/* Gives kernels access to the part of the reservation up to `end`. */
static int resize(struct exec_session *s, struct exec_object *o, uint64_t end) {
    if (o->bytes == end) return ERROR_NONE;
    sim_release(s->sim, o->address);
    o->bytes = end;
    return !end || sim_place(s->sim, o->name, o->address, end, SIM_INITIALIZED, o->shared) ? ERROR_NONE : ERROR_MEMORY;
}
static int map(struct exec_session *s, uint64_t address, uint64_t bytes, uint64_t from, uint64_t handle) {
    struct exec_object *o = reservation(s, address, bytes), *memory = physical(s, handle);
    if (!o || !memory || !bytes || address % EXEC_PAGE || from + bytes > memory->bytes) return ERROR_VALUE;
    struct exec_mapping *all = array_room(o->mapping, o->mappings + 1, &o->mappings_room, sizeof *all);
    const uint64_t begin = address - o->address;
    if (!all) return ERROR_MEMORY;
    o->mapping = all;
    for (unsigned k = 0; k < o->mappings; k++)
        if (begin < all[k].end && all[k].begin < begin + bytes) {
            exec_add_finding(s, HOST_FAILED, NULL, "%s(): a part of `%s` is already mapped there.", s->request->call,
                             o->name);
            return ERROR_VALUE;
        }
    if (!back(o, begin, bytes, memory->descriptor, from)) return ERROR_MEMORY;
    all[o->mappings++] = (struct exec_mapping){begin, begin + bytes, false};
    return ERROR_NONE;
}
static bool is_inside(const struct exec_mapping *m, uint64_t begin, uint64_t bytes) {
    return m->begin >= begin && m->end <= begin + bytes;
}
/* Sets access for the mappings in the range, or removes them. Changes nothing if the range is not mapped completely. */
static int change(struct exec_session *s, uint64_t address, uint64_t bytes, bool remove) {
    struct exec_object *o = reservation(s, address, bytes);
    uint64_t whole = 0, end = 0;
    unsigned left = 0;
    if (!o) return ERROR_VALUE;
    const uint64_t begin = address - o->address;
    for (unsigned k = 0; k < o->mappings; k++)
        if (is_inside(&o->mapping[k], begin, bytes)) whole += o->mapping[k].end - o->mapping[k].begin;
    if (whole != bytes) {
        exec_add_finding(s, HOST_FAILED, NULL,
                         "%s(): %" PRIu64 " of the %" PRIu64
                         " bytes are not in mappings that lie entirely in this range.",
                         s->request->call, bytes - whole, bytes);
        return ERROR_VALUE;
    }
    for (unsigned k = 0; k < o->mappings; k++) {
        struct exec_mapping *m = &o->mapping[k];
        const bool inside = is_inside(m, begin, bytes);
        if (inside && remove) continue;
        m->accessible |= inside;
        if (m->accessible && m->end > end) end = m->end;
        o->mapping[left++] = *m;
    }
    o->mappings = left;
    const int error = resize(s, o, end);
    return !error && remove && !back(o, begin, bytes, -1, 0) ? ERROR_MEMORY : error;
}
static int end_range(struct exec_session *s, uint64_t address, uint64_t bytes) {
    struct exec_object *o = reservation(s, address, bytes);
    if (!o || o->address != address || o->reserved != bytes || o->mappings) {
        if (o)
            exec_add_finding(s, HOST_FAILED, NULL, "%s(): `%s` is still mapped, or has a different size.",
                             s->request->call, o->name);
        return ERROR_VALUE;
    }
    munmap(o->shared, o->reserved);
    free(o->mapping);
    o->shared = NULL, o->mapping = NULL, o->live = false, o->freed = *exec_here(s);
    return ERROR_NONE;
}
static int drop(struct exec_session *s, uint64_t handle) {
    struct exec_object *o = physical(s, handle);
    if (!o) return ERROR_VALUE;
    close(o->descriptor);
    o->descriptor = -1, o->live = false, o->freed = *exec_here(s), s->used -= o->bytes;
    return ERROR_NONE;
}
int exec_virtual(struct exec_session *s, const uint64_t *a, struct exec_reply *r) {
    switch ((enum exec_virtual)a[0]) {
    case EXEC_RESERVE: return reserve_range(s, a[1], r);
    case EXEC_UNRESERVE: return end_range(s, a[1], a[2]);
    case EXEC_CREATE: return create(s, a[1], r);
    case EXEC_DROP: return drop(s, a[1]);
    case EXEC_MAP: return map(s, a[1], a[2], a[3], a[4]);
    case EXEC_UNMAP: return change(s, a[1], a[2], true);
    case EXEC_ACCESS: return change(s, a[1], a[2], false);
    }
    return ERROR_NOT_SUPPORTED;
}
