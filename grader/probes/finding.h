/* Findings: the problems that probes report, each with a place in the source and the threads involved.
 *
 * A list contains each finding once. Two occurrences are one finding if they share the kind, the object and the two
 * lines, in either order; an unknown line is compared by pc. `count` and `read_first` describe all occurrences. The
 * other members describe the one in the lowest block and, there, the lowest warp. They thus do not depend on the order
 * in which the simulator ran the warps. */
#ifndef PROBES_FINDING_H
#define PROBES_FINDING_H

#include "probes/catalog.h"
#include "sim/events.h"

struct finding_site {
    uint32_t pc;           /* UINT32_MAX for none */
    const char *file;      /* the source file's name in the .file directive, or NULL */
    uint32_t line, column; /* 0 if unknown */
    uint32_t block, warp;
    uint32_t lanes; /* mask */
};
struct finding {
    const struct finding_kind *kind; /* defined by its probe */
    /* The reported place. Of a race's two accesses, a read is preferred to a store, a store to an atomic, and otherwise
     * the later instruction in the program. */
    struct finding_site at;
    /* The other access, or the place where other threads wait. pc is UINT32_MAX if there is neither. */
    struct finding_site other;
    char object[64]; /* "shared memory `s`", "buffer `in`", or "" for a finding without an object */
    int64_t offset;  /* offset in the object in bytes: of the first lane's access, or of the first racing byte */
    unsigned bytes;  /* per lane */
    bool read_first; /* for an unordered read and write: the read came first in all occurrences of this run */
    /* A full sentence without the file and line of `at`, perhaps with other lines. Example: "lanes 0-15 of warp 0 read
     * s[16..31] that warp 1 wrote ..." */
    char message[400];
    uint64_t count;
    uint32_t launch; /* number of the plan's launch, from 1; 0: unknown */
};

struct finding_list {
    struct finding *item;
    unsigned count, capacity;
    /* occurrences of findings that did not fit into this list (64) or a launch's list of races (256) */
    uint64_t dropped;
};

/* Adds f->count occurrences of a finding (0 means 1). If the list has the finding, adds to its count, and keeps the
 * occurrence in the lower block or warp. A full list adds them to `dropped`. */
void finding_add(struct finding_list *list, const struct finding *f);
/* Handles an occurrence whose message is not formatted yet. Counts it and returns true if the list would keep the
 * finding's earlier occurrence, or is full without the finding. Otherwise returns false: the caller then formats the
 * message and calls finding_add(). This avoids formatting a message a million times. Not for races: it does not update
 * `read_first`. */
bool finding_recurs(struct finding_list *list, const struct finding *f);
void finding_list_free(struct finding_list *list);
/* Records the number of the plan's launch, from 1, in the findings added since the last call. */
void finding_set_launch(struct finding_list *list, uint32_t launch);
/* Returns the list's first error, or NULL if it has none. */
const struct finding *finding_first_error(const struct finding_list *list);
/* Returns the site of a pc, with its file, line and column. If the pc is outside the kernel's file, but the call stack
 * where->call has calls in that file, they are those of the innermost such call. */
struct finding_site finding_site(const struct sim_where *where, uint32_t pc, uint32_t lanes);
/* Writes a mask's lanes as text: "0-15", "0, 4, 8", "0, 2, ... 30" or "all 32". Returns `out`. */
char *finding_lanes(uint32_t mask, char *out, size_t size);
/* Writes a warp's lanes as text: "lane 3 of warp 0", "lanes 0-15 of warp 0", "all lanes of warp 0", or "warp 0" if
 * `lanes` has all launched lanes. For labs that have not taught lanes and warps (record/terms.h), writes "thread 3" or
 * "threads 0-15". Returns `out`. */
char *finding_who(unsigned taught, uint32_t warp, uint32_t lanes, uint32_t launched, char *out, size_t size);
/* Writes a block's threads as text: "0-15", "0-511, 768" or "0, 32, ... 992". `lanes` has a mask for each warp. Returns
 * `out`. */
char *finding_threads(const uint32_t *lanes, unsigned warps, char *out, size_t size);
/* Turns a PTX name into the source's name: the last part of a mangled name, such as s for "_ZN7sum_f321sE", or the name
 * itself. Returns `out`. */
char *finding_source_name(const char *ptx_name, char *out, size_t size);
/* The variable that contains byte `offset` of an object: its name for messages ("s", "in", "local memory"), its first
 * byte, its size, and the size of its elements (0 if unknown). If there is none, the name is "shared memory". */
struct finding_place {
    char name[64];
    uint64_t start, size;
    unsigned element;
};
struct finding_place finding_place(const struct sim_launch_info *launch, const struct sim_object *object,
                                   uint64_t offset);
/* Writes the text for finding.object: "shared memory `s`", "buffer `in`", "variable `count`", "local memory", or for
 * other objects the name in *place. Returns `out`. */
char *finding_object(const struct sim_object *object, const struct finding_place *place, char *out, size_t size);
/* Appends the owner of another block's shared memory to `out`, as in " of block 3". */
void finding_name_owner(const struct sim_object *object, const struct sim_where *where, char *out, size_t size);
/* Returns whether the fault accesses memory that a kernel (heap) or the host (buffer) has freed. */
bool finding_is_freed(const struct sim_fault *e);
/* Returns the size in bytes of one element of a memory instruction, such as 4 for ld.v4.f32, or `access_bytes` if it is
 * unknown. */
unsigned finding_element_bytes(const struct sim_launch_info *launch, uint32_t pc, unsigned access_bytes);

#endif
