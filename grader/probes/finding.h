/* Findings: what a probe reports to people. A finding names a place in the source, and the threads involved.
 *
 * Findings are deduplicated by (kind, line, other line, object), or by pc where the line is unknown: `count` is the
 * number of occurrences; the rest describes the occurrence with the lowest block, then warp, so that it does not depend
 * on the order in which the simulator ran the warps. */
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
    struct finding_site at;          /* the access that completed the error */
    struct finding_site other;       /* the earlier access, or the place where others wait; pc UINT32_MAX if none */
    char object[64];                 /* "shared memory `s`", "buffer `in`"; "" if none */
    int64_t offset;                  /* of the first lane, in bytes into that object */
    unsigned bytes;                  /* per lane */
    char message[400]; /* a full sentence without file:line: "lanes 0-15 of warp 0 read s[16..31] that warp 1 wrote
                          ..." */
    uint64_t count;
};

struct finding_list {
    struct finding *item;
    unsigned count, capacity;
    uint64_t dropped; /* beyond 64 distinct ones */
};

/* Adds a finding, or counts it if it is already in the list. */
void finding_add(struct finding_list *list, const struct finding *f);
/* The same without the message, which is expensive to format if an access fails a million times: counts the finding if
 * the list has it already, with an occurrence that represents this one. False: it must be added. */
bool finding_recurs(struct finding_list *list, const struct finding *f);
void finding_list_free(struct finding_list *list);
/* The first error in the list; NULL if there are only warnings and notes. */
const struct finding *finding_first_error(const struct finding_list *list);
/* Fills in a site's file, line and column from a pc and where->call: for a function outside the kernel's file, the
 * call. */
struct finding_site finding_site(const struct sim_where *where, uint32_t pc, uint32_t lanes);
/* "0-15", "0, 4, 8", "0, 2, ... 30", "all 32": the lanes of a mask as text. Returns out. */
char *finding_lanes(uint32_t mask, char *out, size_t size);
/* "lane 3 of warp 0", "lanes 0-15 of warp 0", "all lanes of warp 0", or "warp 0" if all launched lanes are in it; if
 * lanes and warps have not been taught yet (record/terms.h), "thread 3", "threads 0-15". Returns out. */
char *finding_who(unsigned taught, uint32_t warp, uint32_t lanes, uint32_t launched, char *out, size_t size);
/* "0-15", "0-511, 768", "0, 32, ... 992": the threads of a block as text, from the lanes of each of its warps. */
char *finding_threads(const uint32_t *lanes, unsigned warps, char *out, size_t size);
/* The source name for a PTX name: the last part of a mangled one ("_ZN7sum_f321sE" is s), else the name itself. */
char *finding_source_name(const char *ptx_name, char *out, size_t size);
/* The variable that holds byte `offset` of an object, for messages: its name ("s", "in", "local memory"), its first
 * byte and its size. Shared memory that belongs to no variable: "shared memory". */
struct finding_place {
    char name[64];
    uint64_t start, size;
};
struct finding_place finding_place(const struct sim_launch_info *launch, const struct sim_object *object,
                                   uint64_t offset);
/* "shared memory `s`", "buffer `in`", "variable `count`", "local memory": the text for finding.object. */
char *finding_object(const struct sim_object *object, const struct finding_place *place, char *out, size_t size);
/* Adds " of block 3" to the name of data in the shared memory of another block of the cluster. */
void finding_name_owner(const struct sim_object *object, const struct sim_where *where, char *out, size_t size);
/* Whether a fault lies in a freed block of the heap. */
bool finding_is_freed(const struct sim_fault *e);
/* The size of one element of a memory instruction (a vector access has several): 4 for ld.v4.f32. */
unsigned finding_element_bytes(const struct sim_launch_info *launch, uint32_t pc, unsigned access_bytes);

#endif
