/* Findings are what probes report to people. A finding names a place in the source and the threads involved.
 *
 * A list has each finding once. Occurrences are the same finding if they agree in kind, line, other line and object (pc
 * instead of line where the line is unknown). `count` is the number of occurrences. The other members describe the one
 * with the lowest block, then the lowest warp, so that they do not depend on the order in which the simulator ran the
 * warps. */
#ifndef PROBES_FINDING_H
#define PROBES_FINDING_H

#include "probes/catalog.h"
#include "sim/events.h"

struct finding_site {
    uint32_t pc;           /* UINT32_MAX: none */
    const char *file;      /* from .file; NULL: unknown */
    uint32_t line, column; /* 0: unknown */
    uint32_t block, warp;
    uint32_t lanes; /* mask */
};
struct finding {
    const struct finding_kind *kind; /* defined by its probe */
    struct finding_site at; /* where it is reported; of a race: at the read, else at the later place in the program */
    struct finding_site other; /* of the earlier access, or where other threads wait; pc UINT32_MAX if none */
    char object[64];           /* "shared memory `s`", "buffer `in`"; "" if none */
    int64_t offset;            /* the first lane's offset into that object, in bytes */
    unsigned bytes;            /* per lane */
    char message[400]; /* a full sentence without file:line: "lanes 0-15 of warp 0 read s[16..31] that warp 1 wrote
                          ..." */
    uint64_t count;
};

struct finding_list {
    struct finding *item;
    unsigned count, capacity;
    uint64_t dropped; /* number of findings beyond the first 64 distinct ones, which are not kept */
};

/* Adds a finding or, if the list already contains it, counts it. */
void finding_add(struct finding_list *list, const struct finding *f);
/* Counts a finding that does not have its message yet, if the list already contains it and reports the earlier
 * occurrence. This saves formatting the message of an access that fails a million times. If it returns false, the
 * caller formats the message and calls finding_add(). */
bool finding_recurs(struct finding_list *list, const struct finding *f);
void finding_list_free(struct finding_list *list);
/* Returns the first error in the list, or NULL if there are only warnings and notes. */
const struct finding *finding_first_error(const struct finding_list *list);
/* The site of a pc, with file, line and column. For a function outside of the kernel's file, these are the ones of its
 * call, from where->call. */
struct finding_site finding_site(const struct sim_where *where, uint32_t pc, uint32_t lanes);
/* Writes the lanes of a mask as text: "0-15", "0, 4, 8", "0, 2, ... 30", "all 32". Returns out. */
char *finding_lanes(uint32_t mask, char *out, size_t size);
/* Names the lanes of a warp: "lane 3 of warp 0", "lanes 0-15 of warp 0", "all lanes of warp 0", or "warp 0" if `lanes`
 * has all launched lanes. In labs that have not taught lanes and warps yet (record/terms.h): "thread 3", "threads
 * 0-15". Returns out. */
char *finding_who(unsigned taught, uint32_t warp, uint32_t lanes, uint32_t launched, char *out, size_t size);
/* Writes the threads of a block as text: "0-15", "0-511, 768", "0, 32, ... 992". `lanes` has a mask for each warp. */
char *finding_threads(const uint32_t *lanes, unsigned warps, char *out, size_t size);
/* Converts a PTX name to the name in the source: the last part of a mangled name (s for "_ZN7sum_f321sE"), else the
 * name itself. */
char *finding_source_name(const char *ptx_name, char *out, size_t size);
/* The variable that holds byte `offset` of an object, for messages: its name ("s", "in", "local memory"), its first
 * byte and its size. The name is "shared memory" for bytes that belong to no variable. */
struct finding_place {
    char name[64];
    uint64_t start, size;
};
struct finding_place finding_place(const struct sim_launch_info *launch, const struct sim_object *object,
                                   uint64_t offset);
/* Writes the text for finding.object: "shared memory `s`", "buffer `in`", "variable `count`", "local memory". */
char *finding_object(const struct sim_object *object, const struct finding_place *place, char *out, size_t size);
/* Adds " of block 3" to the name of data in the shared memory of another block of the cluster. */
void finding_name_owner(const struct sim_object *object, const struct sim_where *where, char *out, size_t size);
/* Returns whether a fault lies in a freed block of the heap. */
bool finding_is_freed(const struct sim_fault *e);
/* The size of one element of a memory instruction (a vector access has several): 4 for ld.v4.f32. */
unsigned finding_element_bytes(const struct sim_launch_info *launch, uint32_t pc, unsigned access_bytes);

#endif
