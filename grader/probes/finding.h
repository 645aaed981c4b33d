/* What a probe has to say to a person. A finding names a place in the source, who was there, and the cure.
 *
 * Findings are deduplicated by (kind, pc, other pc, object): `count` says how often it happened, the rest describes the first
 * occurrence in the order of the (seeded) run. */
#ifndef PROBES_FINDING_H
#define PROBES_FINDING_H

#include "sim/events.h"

/* One row a kind: FINDING(id, key, title, cure). The key is what tests, records and students'
 * search engines see; never rename one. */
enum finding_kind {
#define FINDING(id, key, title, cure) FINDING_##id,
#include "probes/findings.def"
    FINDING_KIND_COUNT
};
struct finding_row { const char *key, *title, *cure; };
extern const struct finding_row finding_rows[FINDING_KIND_COUNT];

struct finding_site {
    uint32_t pc;             /* UINT32_MAX: none */
    const char *file;        /* as in .file; NULL: unknown */
    uint32_t line, column;   /* 0: unknown */
    uint32_t block, warp;
    uint32_t lanes;          /* mask */
};
struct finding {
    enum finding_kind kind;
    struct finding_site at;      /* the access that completed the fault */
    struct finding_site other;   /* the earlier access, or the place where others wait; pc UINT32_MAX if none */
    char object[64];             /* "shared memory `s`", "buffer `in`"; "" if none */
    int64_t offset;              /* bytes into that object, of the first lane */
    unsigned bytes;              /* per lane */
    char message[400];           /* whole sentence without file:line: "lanes 0-15 of warp 0 read s[16..31] that warp 1 wrote ..." */
    uint64_t count;
};

struct finding_list { struct finding *item; unsigned count, capacity; uint64_t dropped; /* past 64 distinct ones */ };

/* Adds, or counts when it is there already. */
void finding_add(struct finding_list *list, const struct finding *f);
void finding_list_free(struct finding_list *list);
/* Fill a site's file, line and column from a pc. */
struct finding_site finding_site(const struct sim_where *where, uint32_t pc, uint32_t lanes);
/* "0-15", "0, 4, 8", "all 32": lanes of a mask in words. Returns out. */
char *finding_lanes(uint32_t mask, char *out, size_t size);

#endif
