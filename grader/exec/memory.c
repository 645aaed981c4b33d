/* Device memory, and memory that the host and device share: objects, freed objects, module variables, copies and fills.
 */
#include "base/array.h"
#include "base/hash.h"
#include "base/reserve.h"
#include "exec/serve.h"
#include "probes/written.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ALIGN = 512, PAGE = 4096 };
#define GAP (UINT64_C(1) << 30) /* bytes between buffers, so that a wrong index does not reach the next buffer */
#define SHARED_GAP (UINT64_C(1) << 26)
#define DEVICE_OVERFLOW (UINT64_C(1) << 61)
/* Model of copies between host and device: minimum time, and bytes per nanosecond of PCIe 5.0 x16 and of device
 * memory. */
static const double copy_nanoseconds = 5000, copy_bytes = 50, device_bytes = 2000;

uint64_t exec_memory_total(const struct exec_session *s) {
    const uint64_t pages = (uint64_t)sysconf(_SC_PHYS_PAGES), own = pages * (uint64_t)sysconf(_SC_PAGESIZE) / 2;
    (void)s;
    return own & ~((UINT64_C(1) << 20) - 1);
}

/* ---- objects -------------------------------------------------------------------------------- */
struct exec_object *exec_find(struct exec_session *s, uint64_t address) {
    struct exec_object *gone = NULL;
    for (unsigned k = s->objects; k-- > 0;) {
        struct exec_object *o = &s->object[k];
        if (address < o->address || address > o->address + o->bytes) continue;
        if (o->live && (address < o->address + o->bytes || !o->bytes)) return o;
        if (!gone) gone = o; /* the address is in a freed object, or just past the end of an object */
    }
    return gone;
}
/* Returns how many calls on the same line allocated memory before. The calls of a line have different stacks. */
static unsigned call_on_line(const struct exec_session *s, const struct exec_object *o) {
    uint64_t seen[8];
    unsigned count = 0;
    for (unsigned k = 0; k < s->objects && count < 8; k++) {
        const struct exec_object *e = &s->object[k];
        if (e->at.line != o->at.line || strcmp(e->call, o->call) != 0 || strcmp(e->at.path, o->at.path) != 0) continue;
        unsigned n = 0;
        while (n < count && seen[n] != e->stack) n++;
        if (n == count) seen[count++] = e->stack;
        if (e->stack == o->stack) return n;
    }
    return count;
}
void exec_name_object(struct exec_session *s, struct exec_object *o) {
    const struct exec_request *q = s->request;
    o->at = *exec_here(s), o->stack = hash_bytes(HASH_START, q->frame, q->frames * sizeof *q->frame);
    memcpy(o->call, q->call, sizeof o->call);
    exec_argument_name(&o->at, o->call, call_on_line(s, o), o->name, sizeof o->name);
    if (!o->name[0]) snprintf(o->name, sizeof o->name, "memory %u", s->objects);
}
static bool share(struct exec_object *o) {
    const uint64_t bytes = (o->bytes + PAGE - 1) / PAGE * PAGE;
    o->descriptor = memfd_create("exec", MFD_CLOEXEC);
    if (o->descriptor < 0 || ftruncate(o->descriptor, (off_t)bytes)) return false;
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, o->descriptor, 0);
    o->shared = p == MAP_FAILED ? NULL : p;
    return o->shared != NULL;
}
static void unshare(struct exec_object *o) {
    if (o->shared) munmap(o->shared, (o->bytes + PAGE - 1) / PAGE * PAGE);
    if (o->descriptor >= 0) close(o->descriptor);
    o->shared = NULL, o->descriptor = -1;
}
static uint64_t next_shared(struct exec_session *s, uint64_t bytes) {
    const uint64_t at = s->next_shared;
    s->next_shared += (bytes + PAGE - 1) / PAGE * PAGE + SHARED_GAP;
    return s->next_shared < EXEC_SHARED_END ? at : 0;
}
uint64_t exec_next_address(struct exec_session *s, uint64_t bytes, uint64_t align) {
    const uint64_t room = (bytes + ALIGN - 1) / ALIGN * ALIGN;
    if (s->next_device < EXEC_SHARED_BASE && s->next_device + room + GAP >= EXEC_SHARED_BASE)
        s->next_device = DEVICE_OVERFLOW;
    const uint64_t at = (s->next_device + align - 1) / align * align;
    s->next_device = at + room + GAP;
    return at;
}
int exec_allocate(struct exec_session *s, uint64_t bytes, enum exec_memory kind, struct exec_reply *r) {
    struct exec_object *all = array_room(s->object, s->objects + 1, &s->objects_room, sizeof *all);
    if (all) s->object = all;
    if (!bytes) return r->head.a[0] = 0, ERROR_NONE;
    if (!all || bytes > exec_memory_total(s) || s->used > exec_memory_total(s) - bytes) return ERROR_MEMORY;
    struct exec_object *o = &all[s->objects];
    *o = (struct exec_object){.bytes = bytes, .kind = kind, .live = true, .descriptor = -1};
    exec_name_object(s, o);
    o->address = kind == EXEC_ON_DEVICE ? exec_next_address(s, bytes, ALIGN) : next_shared(s, bytes);
    if (!o->address || (kind != EXEC_ON_DEVICE && !share(o))) return unshare(o), ERROR_MEMORY;
    o->written = kind != EXEC_ON_DEVICE; /* host writes are not observed, so assume that there were some */
    if (!sim_place(s->sim, o->name, o->address, bytes, o->written ? SIM_INITIALIZED : SIM_UNINITIALIZED, o->shared))
        return unshare(o), ERROR_MEMORY;
    s->used += bytes, s->objects++;
    r->head.a[0] = o->address, r->head.a[1] = bytes, r->descriptor = o->descriptor;
    return ERROR_NONE;
}
/* Frees an object. The simulator keeps the most recently freed objects for its reports. */
static void release(struct exec_session *s, struct exec_object *o) {
    sim_retire(s->sim, o->address);
    unshare(o);
    o->live = false, s->used -= o->bytes;
    uint64_t *oldest = &s->retired[s->retired_next++ % EXEC_RETIRED];
    if (*oldest) sim_release(s->sim, *oldest);
    *oldest = o->address;
}
int exec_free(struct exec_session *s, uint64_t address, enum exec_free how) {
    static const char *const calls[] = {"cudaFree", "cudaFreeHost", "cudaFreeArray"};
    char at[320];
    struct exec_object *o = address ? exec_find(s, address) : NULL;
    const char *call = s->request->call;
    if (!address) return ERROR_NONE;
    if (!o || o->variable) {
        exec_add_finding(s, HOST_BAD_FREE, NULL, "%s() was passed %s, which cudaMalloc() did not return.", call,
                         o ? "the address of a device variable" : "a pointer");
        return ERROR_VALUE;
    }
    if (!o->live && o->address == address) {
        exec_add_finding(s, HOST_DOUBLE_FREE, NULL, "`%s` was already freed%s.", o->name,
                         exec_at(&o->freed, at, sizeof at));
        return ERROR_VALUE;
    }
    if (o->reserved) {
        exec_add_finding(s, HOST_BAD_FREE, NULL, "%s() was passed memory from %s().", call, o->call);
        return ERROR_VALUE;
    }
    if (o->address != address) {
        exec_add_finding(s, HOST_BAD_FREE, NULL,
                         "%s() was passed an address %" PRIu64
                         " bytes past the start of `%s`: only the pointer that %s() returned can be freed.",
                         call, address - o->address, o->name, o->call);
        return ERROR_VALUE;
    }
    const enum exec_free wanted = o->array                 ? EXEC_FREE_ARRAY
                                  : o->kind == EXEC_PINNED ? EXEC_FREE_PINNED
                                                           : EXEC_FREE_MEMORY;
    if (how != wanted) {
        exec_add_finding(s, HOST_BAD_FREE, NULL, "`%s` comes from %s()%s: free it with %s(), not with %s().", o->name,
                         o->call, exec_at(&o->at, at, sizeof at), calls[wanted], call);
        return ERROR_VALUE;
    }
    o->freed = *exec_here(s);
    release(s, o);
    return ERROR_NONE;
}
int exec_lend(struct exec_session *s, uint64_t address) {
    struct exec_object *o = exec_find(s, address);
    if (!o || !o->live || o->address != address) return ERROR_VALUE;
    o->lent = true;
    return ERROR_NONE;
}
void exec_leaks(struct exec_session *s) {
    for (unsigned k = 0; k < s->objects; k++) {
        const struct exec_object *o = &s->object[k];
        if (o->live && !o->variable && !o->lent)
            exec_add_finding(s, HOST_LEAK, &o->at, "`%s`, %" PRIu64 " bytes, is never freed.", o->name, o->bytes);
    }
}
void exec_forget_memory(struct exec_session *s) {
    for (unsigned k = 0; k < s->objects; k++)
        if (s->object[k].live && !s->object[k].variable && !s->object[k].reserved) release(s, &s->object[k]);
}

/* ---- variables ------------------------------------------------------------------------------ */
/* Gives the memory of a managed variable a second address. Kernels use the variable's address, and the host uses an
 * address that both processes can map. */
static int share_variable(struct exec_session *s, struct exec_reply *r) {
    struct exec_object *all = array_room(s->object, s->objects + 1, &s->objects_room, sizeof *all);
    if (!all) return ERROR_MEMORY;
    s->object = all;
    struct exec_object *host = &all[s->objects];
    *host = all[s->objects - 1];
    host->kind = EXEC_MANAGED, host->address = next_shared(s, host->bytes);
    if (!share(host) || !sim_lend(s->sim, r->head.a[0], host->shared)) return ERROR_MEMORY;
    if (!sim_place(s->sim, host->name, host->address, host->bytes, SIM_INITIALIZED, host->shared)) return ERROR_MEMORY;
    s->objects++;
    r->head.a[0] = host->address, r->descriptor = host->descriptor;
    return ERROR_NONE;
}
int exec_variable(struct exec_session *s, unsigned module, const char *name, bool managed, struct exec_reply *r) {
    int error;
    struct exec_module *m = exec_module_use(s, module, &error);
    uint64_t bytes = 0;
    const uint64_t address = m ? sim_variable_of(s->sim, m->program, name, &bytes) : 0;
    if (!address) return m ? ERROR_SYMBOL : error;
    r->head.a[0] = address, r->head.a[1] = bytes;
    struct exec_object *all = array_room(s->object, s->objects + 1, &s->objects_room, sizeof *all);
    if (!all) return ERROR_MEMORY;
    s->object = all;
    struct exec_object *o = exec_find(s, address);
    if (o && o->address == address) return ERROR_NONE;
    o = &all[s->objects];
    *o = (struct exec_object){
        .address = address, .bytes = bytes, .live = true, .variable = true, .written = true, .descriptor = -1};
    finding_source_name(name, o->name, sizeof o->name);
    s->objects++;
    return managed ? share_variable(s, r) : ERROR_NONE;
}

/* ---- copies --------------------------------------------------------------------------------- */
struct side {
    const char *role; /* "destination" */
    uint64_t address, pitch;
    /* host: whether the side is pageable memory; wanted_host, wanted_device: whether the copy's direction requires host
     * or device memory on this side */
    bool host, wanted_host, wanted_device;
    struct exec_object *object;
    bool array; /* whether the call copies to or from arrays */
};
static uint64_t extent(const struct side *d, uint64_t width, uint64_t height) {
    return height ? (height - 1) * d->pitch + width : 0;
}
/* Returns the bytes that a copy accesses on one side, without the padding between rows. */
static struct exec_access access_of(const struct side *d, uint64_t width, uint64_t height, unsigned how) {
    struct exec_access a = {.begin = d->address, .end = d->address + extent(d, width, height), .how = how};
    if (height < 2 || d->pitch == width) return a;
    a.base = a.begin / EXEC_CELL * EXEC_CELL, a.cell_count = (a.end - a.base) / EXEC_CELL + 1, a.owns = true;
    if (!(a.cells = reserve(a.cell_count))) return a;
    for (uint64_t row = 0; row < height; row++) {
        const uint64_t from = a.begin + row * d->pitch - a.base;
        for (uint64_t c = from / EXEC_CELL; c <= (from + width - 1) / EXEC_CELL; c++) a.cells[c] |= (uint8_t)how;
    }
    return a;
}
static const char *const directions[] = {"cudaMemcpyHostToHost", "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost",
                                         "cudaMemcpyDeviceToDevice", "cudaMemcpyDefault"};
static int check_direction(struct exec_session *s, const struct side *d, unsigned kind) {
    const bool on_device = d->object && d->object->kind == EXEC_ON_DEVICE;
    char what[120];
    if (!(d->host && d->wanted_device) && !(on_device && d->wanted_host)) return ERROR_NONE;
    if (on_device)
        snprintf(what, sizeof what, "`%s`, device memory", d->object->name);
    else
        snprintf(what, sizeof what, "memory of the host");
    if (exec_of_driver(s->request->call))
        return exec_add_finding(s, HOST_DIRECTION, NULL, "The %s of %s() is %s.", d->role, s->request->call, what),
               ERROR_VALUE;
    exec_add_finding(
        s, HOST_DIRECTION, NULL,
        "%s() was called with %s, but its %s is %s. Check the direction and the order of the arguments: the "
        "destination comes before the source. cudaMemcpyDefault infers the direction from the pointers.",
        s->request->call, directions[kind < 5 ? kind : 4], d->role, what);
    return ERROR_VALUE;
}
/* Checks that the range lies within one live object. */
static int check_side(struct exec_session *s, struct side *d, uint64_t width, uint64_t height) {
    char at[320];
    if (d->host) return ERROR_NONE;
    const uint64_t bytes = extent(d, width, height);
    struct exec_object *o = d->object;
    if (!o) {
        exec_add_finding(s, HOST_HOST_POINTER, NULL, "The %s of %s() does not point to device memory.", d->role,
                         s->request->call);
        return ERROR_VALUE;
    }
    if (!o->live) {
        exec_add_finding(s, HOST_FREED, NULL, "The %s of %s() is `%s`, which was freed%s.", d->role, s->request->call,
                         o->name, exec_at(&o->freed, at, sizeof at));
        return ERROR_VALUE;
    }
    if (o->array != d->array) {
        exec_add_finding(s, HOST_ARRAY, NULL, "The %s of %s() is `%s`, %s.", d->role, s->request->call, o->name,
                         o->array ? "an array: only cudaMemcpy2DToArray() and similar calls access its memory"
                                  : "not an array");
        return ERROR_VALUE;
    }
    if (bytes > o->bytes - (d->address - o->address)) {
        exec_add_finding(s, HOST_COPY_SIZE, NULL,
                         "%s() accesses %" PRIu64 " bytes of `%s`, starting at byte %" PRIu64
                         ", but the buffer is only %" PRIu64
                         " bytes long. Sizes are in bytes: the count times sizeof(type).",
                         s->request->call, bytes, o->name, d->address - o->address, o->bytes);
        return ERROR_VALUE;
    }
    return ERROR_NONE;
}
static void tell_unwritten(struct exec_session *s, const struct side *from) {
    if (from->host || from->object->written || s->options->checks == EXEC_CHECKS_NONE)
        return; /* if checks are off, writes are not recorded */
    exec_add_finding(s, HOST_UNWRITTEN, NULL, "%s() reads `%s`, to which no copy or kernel has written.",
                     s->request->call, from->object->name);
}
/* Writes bytes and marks them as initialized. A buffer that is not tracked byte by byte, such as a large buffer,
 * becomes initialized as a whole. */
static bool write_row(struct exec_session *s, struct exec_object *o, uint64_t address, const uint8_t *data,
                      uint64_t bytes) {
    uint8_t *memory = o->filled || bytes == o->bytes || o->shared || o->variable ? NULL : sim_host(s->sim, o->address);
    if (!memory) return o->filled = true, sim_write(s->sim, address, data, bytes);
    memcpy(memory + (address - o->address), data, bytes);
    measure_written(&s->found, o->address, o->bytes, address - o->address, bytes);
    return true;
}
/* Copies row by row through this process. `host` has the rows if the source is on the host. */
static bool move(struct exec_session *s, const struct side *to, const struct side *from, uint64_t width,
                 uint64_t height, const uint8_t *host, struct exec_reply *r) {
    uint8_t *row = malloc(width + 1);
    bool ok = row != NULL;
    for (uint64_t k = 0; ok && k < height; k++) {
        const uint8_t *data = row;
        if (from->host)
            data = host + k * width;
        else
            ok = sim_read(s->sim, from->address + k * from->pitch, row, width);
        if (ok && to->host) ok = exec_reply_add(r, data, width);
        if (ok && !to->host) ok = write_row(s, to->object, to->address + k * to->pitch, data, width);
    }
    free(row);
    return ok;
}
int exec_copy(struct exec_session *s, const uint64_t *a, const uint8_t *host, struct exec_reply *r) {
    const unsigned kind = a[EXEC_KIND] & EXEC_KIND_MASK;
    const uint64_t width = a[EXEC_WIDTH], height = a[EXEC_HEIGHT];
    struct side to = {"destination",
                      a[EXEC_DST],
                      a[EXEC_DPITCH],
                      a[EXEC_KIND] & EXEC_DST_HOST,
                      kind == 0 || kind == 2,
                      kind == 1 || kind == 3,
                      NULL},
                from = {"source",
                        a[EXEC_SRC],
                        a[EXEC_SPITCH],
                        a[EXEC_KIND] & EXEC_SRC_HOST,
                        kind == 0 || kind == 1,
                        kind == 2 || kind == 3,
                        NULL};
    to.array = a[EXEC_KIND] & EXEC_DST_ARRAY, from.array = a[EXEC_KIND] & EXEC_SRC_ARRAY;
    if (!to.host) to.object = exec_find(s, to.address);
    if (!from.host) from.object = exec_find(s, from.address);
    int error = check_direction(s, &to, kind);
    if (!error) error = check_direction(s, &from, kind);
    if (error || !width || !height) return error;
    if (height > 1 && (to.pitch < width || from.pitch < width))
        return ERROR_VALUE + 11; /* cudaErrorInvalidPitchValue */
    if (!(error = check_side(s, &to, width, height))) error = check_side(s, &from, width, height);
    if (error) return error;
    tell_unwritten(s, &from);
    if (!move(s, &to, &from, width, height, host, r)) return ERROR_MEMORY;
    if (to.object) to.object->written = true;
    struct exec_access touched[2];
    unsigned count = 0;
    if (!to.host) touched[count++] = access_of(&to, width, height, EXEC_WRITES);
    if (!from.host) touched[count++] = access_of(&from, width, height, EXEC_READS);
    const bool inside =
        !to.host && !from.host && to.object->kind == EXEC_ON_DEVICE && from.object->kind == EXEC_ON_DEVICE;
    const double nanoseconds =
        inside ? (double)(width * height) / device_bytes : copy_nanoseconds + (double)(width * height) / copy_bytes;
    exec_work(s, a[EXEC_COPY_STREAM], s->request->call, touched, count, nanoseconds, false);
    /* When the call returns, a copy to pageable memory is complete, and a copy within device memory is not. Any other
     * copy is complete if the call is synchronous. */
    if (to.host || (!a[EXEC_ASYNC] && !inside)) return exec_finish(s, a[EXEC_COPY_STREAM], r);
    exec_pending(s, r, false);
    return ERROR_NONE;
}
int exec_fill(struct exec_session *s, const uint64_t *a, struct exec_reply *r) {
    struct side to = {"destination", a[0], a[1], false, false, true, exec_find(s, a[0])};
    const uint64_t width = a[2], height = a[3];
    const uint32_t value = (uint32_t)a[4], element = (uint32_t)a[7];
    if (!width || !height) return ERROR_NONE;
    const int error = check_side(s, &to, width, height);
    if (error) return error;
    const bool whole = width == to.object->bytes || to.object->bytes >= SIM_LARGE;
    uint8_t *row = whole ? NULL : malloc(width);
    if (!whole && !row) return ERROR_MEMORY;
    for (uint64_t at = 0; row && at < width; at += element) memcpy(row + at, &value, element);
    bool good = true;
    for (uint64_t k = 0; good && k < height; k++)
        good = whole ? sim_fill(s->sim, to.address + k * to.pitch, width, &value, element)
                     : write_row(s, to.object, to.address + k * to.pitch, row, width);
    free(row);
    if (!good) return ERROR_MEMORY;
    to.object->filled |= whole;
    to.object->written = true;
    struct exec_access touched = access_of(&to, width, height, EXEC_WRITES);
    exec_work(s, a[5], s->request->call, &touched, 1, (double)(width * height) / device_bytes, false);
    exec_pending(s, r, false);
    return ERROR_NONE;
}
