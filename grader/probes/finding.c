/* The list of findings, and the phrases used in their messages. */
#include "base/array.h"
#include "probes/finding.h"
#include "record/terms.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FINDINGS 64

/* ---- the list -------------------------------------------------------------------------------------------- */

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool same_place(const struct finding_site *a, const struct finding_site *b) {
    if ((a->pc == UINT32_MAX) != (b->pc == UINT32_MAX)) return false;
    if (a->line == 0 || b->line == 0) return a->pc == b->pc;
    return a->line == b->line && same_text(a->file, b->file);
}

/* Returns whether both findings have the same kind, the same object and the same two places, in either order. */
static bool same_finding(const struct finding *a, const struct finding *b) {
    if (a->kind != b->kind || strcmp(a->object, b->object) != 0) return false;
    return (same_place(&a->at, &b->at) && same_place(&a->other, &b->other)) ||
           (same_place(&a->at, &b->other) && same_place(&a->other, &b->at));
}

/* Compares two occurrences of a finding. Returns a negative number if `a` is to be reported. */
static int compare_occurrences(const struct finding *a, const struct finding *b) {
#define BY(field)                                                                                                      \
    if (a->field != b->field) return a->field < b->field ? -1 : 1
    BY(at.block);
    BY(at.warp);
    BY(other.block);
    BY(other.warp);
    BY(at.pc);
    BY(other.pc);
    BY(offset);
#undef BY
    if (a->at.lanes == b->at.lanes) return 0;
    if (a->kind->drawing == DRAW_BARRIER) /* prefer most lanes: in a tree, the first iteration that fails */
        return __builtin_popcount(a->at.lanes) > __builtin_popcount(b->at.lanes) ? -1 : 1;
    return a->at.lanes < b->at.lanes ? -1 : 1;
}

static struct finding *find_same(struct finding_list *list, const struct finding *f) {
    for (unsigned k = 0; k < list->count; k++)
        if (same_finding(&list->item[k], f)) return &list->item[k];
    return NULL;
}

bool finding_recurs(struct finding_list *list, const struct finding *f) {
    struct finding *have = find_same(list, f);
    if (have ? compare_occurrences(f, have) < 0 : list->count < MAX_FINDINGS) return false;
    if (have)
        have->count++;
    else
        list->dropped++;
    return true;
}

void finding_set_launch(struct finding_list *list, uint32_t launch) {
    for (unsigned k = 0; k < list->count; k++)
        if (!list->item[k].launch) list->item[k].launch = launch;
}
void finding_add(struct finding_list *list, const struct finding *f) {
    uint64_t count = f->count ? f->count : 1;
    struct finding *have = find_same(list, f);
    if (have) {
        const bool read_first = have->read_first && f->read_first;
        count += have->count;
        if (compare_occurrences(f, have) < 0) *have = *f;
        have->count = count, have->read_first = read_first;
        return;
    }
    struct finding *more =
        list->count < MAX_FINDINGS ? array_room(list->item, list->count + 1, &list->capacity, sizeof *more) : NULL;
    if (!more) {
        list->dropped += count;
        return;
    }
    list->item = more;
    list->item[list->count] = *f;
    list->item[list->count++].count = count;
}

const struct finding *finding_first_error(const struct finding_list *list) {
    for (unsigned k = 0; k < list->count; k++)
        if (list->item[k].kind->severity == FINDING_ERROR) return &list->item[k];
    return NULL;
}
void finding_list_free(struct finding_list *list) {
    free(list->item);
    *list = (struct finding_list){0};
}

/* ---- places ---------------------------------------------------------------------------------------------- */

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Returns the source line of an instruction, or NULL if it is unknown. */
static const struct ptx_loc *loc_of(const struct sim_launch_info *launch, uint32_t pc) {
    if (pc >= launch->code_count || !launch->code[pc]) return NULL;
    const struct ptx_loc *loc = &launch->code[pc]->loc;
    return loc->line && loc->file < launch->module->file_count && launch->module->files[loc->file] ? loc : NULL;
}
/* Returns the index of the kernel's source file, or UINT32_MAX if it is unknown. */
static uint32_t file_of_kernel(const struct sim_launch_info *launch) {
    const struct ptx_function *f = launch->kernel;
    for (uint32_t k = 0; f && k < f->code_count; k++)
        if (f->code[k].loc.line) return f->code[k].loc.file;
    return UINT32_MAX;
}
/* Returns the source line to report for an instruction with its call stack: the innermost one in the kernel's file; if
 * there is none, the innermost known one. */
static const struct ptx_loc *place_of(const struct sim_launch_info *launch, uint32_t pc, uint32_t call) {
    const struct ptx_loc *loc = loc_of(launch, pc), *known = loc;
    if (!call || !launch->calls) return loc;
    const uint32_t own = file_of_kernel(launch);
    while (!(loc && loc->file == own) && call) {
        loc = loc_of(launch, launch->calls[call].pc);
        if (!known) known = loc;
        call = launch->calls[call].caller;
    }
    return loc && loc->file == own ? loc : known;
}

struct finding_site finding_site(const struct sim_where *where, uint32_t pc, uint32_t lanes) {
    struct finding_site site = {.pc = pc, .block = where->block, .warp = where->warp, .lanes = lanes};
    const struct sim_launch_info *launch = where->launch;
    const struct ptx_loc *loc = place_of(launch, pc, where->call);
    if (loc) {
        site.file = base_name(launch->module->files[loc->file]);
        site.line = loc->line;
        site.column = loc->column;
    }
    return site;
}

/* Parses the mangled names (Itanium C++ ABI) of variables and kernels: _Z<len><name>..., _ZN<len><name>...E,
 * _ZL<len><name> and _ZZ<function>E<len><name>. The source name is the last <len><name> outside the function's
 * parameter list. */
char *finding_source_name(const char *ptx_name, char *out, size_t size) {
    snprintf(out, size, "%s", ptx_name);
    if (strncmp(ptx_name, "_Z", 2) != 0) return out;
    const char *p = ptx_name + 2, *name = NULL;
    size_t length = 0;
    if (*p == 'Z') { /* a local variable's name follows the last E before a length */
        for (const char *q = p; *q; q++)
            if (q[0] == 'E' && isdigit((unsigned char)q[1])) p = q + 1;
    }
    bool nested = false; /* several names up to an E; otherwise one name, followed by types */
    for (; *p == 'N' || *p == 'L' || *p == 'K' || (isdigit((unsigned char)*p) && (nested || !name));) {
        if (!isdigit((unsigned char)*p)) {
            nested = nested || *p == 'N';
            p++;
            continue;
        }
        char *end;
        unsigned long n = strtoul(p, &end, 10);
        if (n == 0 || n > strlen(end)) break;
        name = end, length = n;
        p = end + n;
    }
    if (name) snprintf(out, size, "%.*s", (int)(length < 1000 ? length : 1000), name);
    return out;
}

struct finding_place finding_place(const struct sim_launch_info *launch, const struct sim_object *object,
                                   uint64_t offset) {
    struct finding_place place = {.start = 0, .size = object->size, .element = object->element};
    const char *name = object->name ? object->name : "memory";
    if (object->kind == SIM_SHARED_MEMORY) {
        const struct sim_symbol *symbol = sim_shared_symbol(launch, offset);
        if (symbol) name = symbol->name, place.start = symbol->offset, place.size = symbol->size;
    }
    finding_source_name(name, place.name, sizeof place.name);
    return place;
}

char *finding_object(const struct sim_object *object, const struct finding_place *place, char *out, size_t size) {
    static const char *const words[] = {
        [SIM_BUFFER] = "buffer ", [SIM_VARIABLE] = "variable ", [SIM_SHARED_MEMORY] = "shared memory "};
    if (object->kind > SIM_SHARED_MEMORY || strcmp(place->name, "shared memory") == 0)
        snprintf(out, size, "%s", object->kind == SIM_LOCAL_MEMORY ? "local memory" : place->name);
    else
        snprintf(out, size, "%s`%s`", words[object->kind], place->name);
    return out;
}

void finding_name_owner(const struct sim_object *object, const struct sim_where *where, char *out, size_t size) {
    const size_t used = strlen(out);
    if (object->kind == SIM_SHARED_MEMORY && object->block != where->block)
        snprintf(out + used, size - used, " of block %u", object->block);
}

bool finding_is_freed(const struct sim_fault *e) {
    return e->object && e->object->freed && e->offset >= 0 && (uint64_t)e->offset < e->object->freed;
}
unsigned finding_element_bytes(const struct sim_launch_info *launch, uint32_t pc, unsigned access_bytes) {
    if (pc >= launch->code_count || !launch->code[pc]) return access_bytes;
    unsigned bytes = ptx_type_bits(launch->code[pc]->type) / 8;
    return bytes && bytes <= access_bytes ? bytes : access_bytes;
}

/* ---- phrases -------------------------------------------------------------------------------------------- */

static bool has_thread(const uint32_t *lanes, unsigned thread) {
    return lanes[thread / SIM_WARP] >> thread % SIM_WARP & 1;
}
/* Returns the stride if there are at least four threads with a constant stride of 2 or more. Otherwise returns 0. */
static unsigned stride_of(const uint32_t *lanes, unsigned threads) {
    unsigned count = 0, last = 0, stride = 0;
    for (unsigned t = 0; t < threads; t++) {
        if (!has_thread(lanes, t)) continue;
        if (count == 1) stride = t - last;
        if (count > 1 && t - last != stride) return 0;
        last = t, count++;
    }
    return count >= 4 && stride >= 2 ? stride : 0;
}
char *finding_threads(const uint32_t *lanes, unsigned warps, char *out, size_t size) {
    enum { MAX_TEXT = 16 }; /* maximum length of one range */
    const unsigned threads = warps * SIM_WARP, stride = stride_of(lanes, threads);
    size_t used = 0;
    if (size) out[0] = 0;
    for (unsigned t = 0; t < threads && size; t++) {
        if (!has_thread(lanes, t)) continue;
        unsigned end = t;
        if (stride) {
            for (unsigned k = t; k < threads; k += stride) end = has_thread(lanes, k) ? k : end;
            snprintf(out, size, "%u, %u, ... %u", t, t + stride, end);
            return out;
        }
        while (end + 1 < threads && has_thread(lanes, end + 1)) end++;
        if (used + MAX_TEXT >= size) { /* a truncated range would name the wrong threads */
            snprintf(out + used, size - used, ", ...");
            return out;
        }
        const char *comma = used ? ", " : "", *to = end == t ? "" : end == t + 1 ? ", " : "-";
        used += (size_t)snprintf(out + used, size - used, "%s%u%s", comma, t, to);
        if (end > t) used += (size_t)snprintf(out + used, size - used, "%u", end);
        t = end;
    }
    return out;
}
char *finding_lanes(uint32_t mask, char *out, size_t size) {
    if (mask != UINT32_MAX) return finding_threads(&mask, 1, out, size);
    snprintf(out, size, "all 32");
    return out;
}

char *finding_who(unsigned taught, uint32_t warp, uint32_t lanes, uint32_t launched, char *out, size_t size) {
    uint32_t threads[SIM_MAX_WARPS] = {0};
    char list[128];
    const bool one = lanes && (lanes & (lanes - 1)) == 0;
    if (!terms_known(taught, "lanes of a warp")) {
        threads[warp] = lanes;
        finding_threads(threads, warp + 1, list, sizeof list);
        snprintf(out, size, "thread%s %s", one ? "" : "s", list);
    } else if (lanes == launched)
        snprintf(out, size, "warp %u", warp);
    else if (one)
        snprintf(out, size, "lane %d of warp %u", __builtin_ctz(lanes), warp);
    else if (lanes == UINT32_MAX)
        snprintf(out, size, "all lanes of warp %u", warp);
    else
        snprintf(out, size, "lanes %s of warp %u", finding_lanes(lanes, list, sizeof list), warp);
    return out;
}
