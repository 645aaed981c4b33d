/* Internals of exec/: the session of a running program, and the functions that the files of this folder share. */
#ifndef EXEC_SERVE_H
#define EXEC_SERVE_H

#include "exec/exec.h"
#include "exec/wire.h"
#include "model/model.h"
#include "probes/probes.h"
#include "ptx/ptx.h"
#include "sim/sim.h"
#include "sim/texture.h"
#include <jansson.h>

/* Values of cudaError_t that the simulator's process returns. */
enum {
    ERROR_NONE = 0,
    ERROR_VALUE = 1,
    ERROR_MEMORY = 2,
    ERROR_CONFIGURATION = 9,
    ERROR_SYMBOL = 13,
    ERROR_DIRECTION = 21,
    ERROR_DEVICE_FUNCTION = 98,
    ERROR_IMAGE = 209,
    ERROR_PTX = 218,
    ERROR_HANDLE = 400,
    ERROR_NOT_READY = 600,
    ERROR_ADDRESS = 700,
    ERROR_RESOURCES = 701,
    ERROR_TIMEOUT = 702,
    ERROR_ASSERT = 710,
    ERROR_MISALIGNED = 716,
    ERROR_PC = 718,
    ERROR_COOPERATIVE = 720,
    ERROR_LAUNCH = 719,
    ERROR_NOT_SUPPORTED = 801,
    ERROR_CLUSTER = 912
};

/* ---- locations in the program (site.c) ---- */
struct exec_site {
    char file[256], function[128]; /* file: name without folders; both: "" if unknown */
    char path[512];
    uint32_t line;
};
struct exec_places; /* cached answers of addr2line */
struct exec_places *exec_places_new(const char *program);
void exec_places_free(struct exec_places *p);
/* Returns whether the file is a header of CUB, Thrust or another library of templates of the toolkit. */
bool exec_of_toolkit(const char *path);
/* Returns the site of the innermost frame that is in the program's own code and has a source line. Skips CUDA headers
 * and the stubs of kernels. If there is no such frame, returns a site with only a function's name, or an empty site;
 * never NULL. */
const struct exec_site *exec_place(struct exec_places *p, const uint64_t *frame, unsigned frames);
/* Extracts the name in the first argument of a call from its source line, such as "d_in" for cudaMalloc(&d_in, n).
 * `index` selects among several such calls on the line. Writes "" if the name is unknown. */
void exec_argument_name(const struct exec_site *s, const char *call, unsigned index, char *out, size_t size);
/* Returns the text of a source line, or NULL if it cannot be read. free() it. */
char *exec_source_line(const char *path, uint32_t line);

/* ---- findings in host code (host.c) ---- */
enum exec_finding {
#define HOST(id, key, severity, title) HOST_##id,
#include "exec/host.def"
    HOST_COUNT
};
struct exec_host_finding {
    enum exec_finding kind;
    struct exec_site at;
    char message[600];
    uint64_t count;
};

/* ---- memory (memory.c) ---- */
struct exec_mapping { /* physical memory at a range of offsets in a reservation (virtual.c) */
    uint64_t begin, end;
    bool accessible;
};
struct exec_object {
    uint64_t address, bytes;
    enum exec_memory kind;
    bool live, variable, written, lent; /* lent: whether a graph owns the object and will free it */
    bool filled;                        /* whether the whole object is treated as initialized */
    bool array; /* whether the object is an array, whose texels have the format and size in `extent` */
    struct exec_array extent;
    struct sim_texels texels;
    char name[64], call[EXEC_NAME];
    uint64_t stack; /* hash of the call stack of its allocation */
    struct exec_site at, freed;
    uint64_t reserved; /* size in bytes of a reservation or of physical memory (virtual.c); 0 for other objects */
    struct exec_mapping *mapping;
    unsigned mappings, mappings_room;
    uint8_t *shared; /* address in this process; NULL if not shared */
    int descriptor;
};

/* ---- modules and kernels (module.c) ---- */
struct exec_module {
    char *image;
    size_t length;
    bool tried;
    char why[600]; /* why the module cannot be used, or "" */
    char *text;    /* PTX */
    struct ptx_module *ptx;
    struct sim_program *program;
    unsigned arch;
};
struct exec_launched { /* totals over all launches of a kernel */
    struct exec_module *module;
    const struct ptx_function *function;
    unsigned number;
    uint64_t most_dynamic; /* maximum dynamic shared memory in bytes */
    bool large_clusters;   /* whether clusters may have more than 8 blocks */
    uint64_t launches, warp_instructions;
    double nanoseconds;
    bool timed;
};

/* ---- order (order.c) ---- */
struct exec_order;

enum { EXEC_RETIRED = 1024 };
struct exec_session {
    const struct exec_options *options;
    int socket;
    struct sim *sim;
    struct exec_places *places;
    struct exec_object *object;
    unsigned objects, objects_room;
    uint64_t next_device, next_shared, used;
    uint64_t retired[EXEC_RETIRED]; /* ring buffer of the freed objects that are still kept */
    unsigned retired_next;
    struct exec_module **module;
    unsigned modules, modules_room;
    struct exec_launched *kernel;
    unsigned kernels, kernels_room;
    struct exec_order *order;
    struct measurement found;
    bool timed;
    struct {
        struct finding finding;
        char where[300];
    } * origins; /* for each finding in kernels: the first launch that had it */
    unsigned origin_count, origin_room;
    struct exec_host_finding *host;
    unsigned hosts, hosts_room;
    uint64_t launches, by_kernels; /* by_kernels: launches made by kernels */
    int sticky;
    const struct exec_request *request;   /* the current request */
    char missing[200], missing_about[80]; /* unsupported feature that the program used, and its purpose; or "" */
    char crash[300];
    bool said_bye, was_reset; /* was_reset: whether the program's last reset of the device freed the heap */
    int version;
};
/* An answer that is being assembled. */
struct exec_reply {
    struct exec_answer head;
    uint8_t *bytes;
    size_t room;
    struct exec_range *range;
    unsigned range_room;
    int descriptor;
};
bool exec_reply_add(struct exec_reply *r, const void *data, size_t bytes);

/* Reports a finding at `at`, or at the site of the current request if `at` is NULL (host.c). */
void exec_add_finding(struct exec_session *s, enum exec_finding kind, const struct exec_site *at, const char *format,
                      ...) __attribute__((format(printf, 4, 5)));
const struct exec_site *exec_here(struct exec_session *s); /* site of the current request */
bool exec_is_error(enum exec_finding kind);                /* as opposed to a warning */
/* Returns whether a file name ends with `end` (site.c). */
bool exec_ends_with(const char *name, const char *end);
json_t *exec_host_json(const struct exec_host_finding *f);
/* Writes " at prog.cu:12", or " in f()" without a line, or "" if the site is unknown. Returns `out`. */
const char *exec_at(const struct exec_site *s, char *out, size_t size);
const char *exec_error_name(int error); /* such as "cudaErrorInvalidValue" */

/* memory.c: these functions set the answer and return a cudaError_t. */
int exec_allocate(struct exec_session *s, uint64_t bytes, enum exec_memory kind, struct exec_reply *r);
int exec_free(struct exec_session *s, uint64_t address, enum exec_free how);
/* Takes `bytes` unused device addresses. Returns the first one, which is a multiple of `align`. */
uint64_t exec_next_address(struct exec_session *s, uint64_t bytes, uint64_t align);
/* Names the object and records where the current request (its allocation) was made: source location and call stack. */
void exec_name_object(struct exec_session *s, struct exec_object *o);
int exec_copy(struct exec_session *s, const uint64_t *a, const uint8_t *host, struct exec_reply *r);
int exec_fill(struct exec_session *s, const uint64_t *a, struct exec_reply *r);
int exec_variable(struct exec_session *s, unsigned module, const char *name, bool managed, struct exec_reply *r);
/* Returns the live object at the address. If there is none, returns the newest object that was there before it was
 * freed, or that ends just before the address. If there is no such object, returns NULL. */
struct exec_object *exec_find(struct exec_session *s, uint64_t address);
void exec_leaks(struct exec_session *s); /* reports memory that the program never freed */
/* Marks memory as owned by a graph, so that it is not reported as a leak. */
int exec_lend(struct exec_session *s, uint64_t address);
void exec_forget_memory(struct exec_session *s); /* frees all memory except variables and reserved addresses */
/* Returns the size of the device memory in bytes: half of the host's memory. */
uint64_t exec_memory_total(const struct exec_session *s);

/* virtual.c: answers EXEC_VIRTUAL, whose arguments are in a[]. */
int exec_virtual(struct exec_session *s, const uint64_t *a, struct exec_reply *r);

/* array.c */
int exec_array_new(struct exec_session *s, const struct exec_array *a, struct exec_reply *r);
int exec_array_about(struct exec_session *s, uint64_t address, uint64_t below, struct exec_reply *r);
int exec_texture_new(struct exec_session *s, const struct exec_texture *x, struct exec_reply *r);
int exec_texture_end(struct exec_session *s, uint64_t handle, bool surface);

/* module.c */
int exec_module_add(struct exec_session *s, const uint8_t *image, size_t length);
/* Returns the module, which is parsed on first use. On failure, returns NULL and sets *error. */
struct exec_module *exec_module_use(struct exec_session *s, unsigned number, int *error);
int exec_kernel_names(struct exec_session *s, unsigned module, struct exec_reply *r);
int exec_kernel_find(struct exec_session *s, unsigned module, const char *name, struct exec_reply *r);
/* Returns the size in bytes of the fat binary at `image`, or 0 if there is none (fatbin.c). */
size_t exec_fatbin_bytes(const char *image, size_t length);
/* Returns the PTX in the fat binary for the highest compute capability that is at most `arch`, and sets *chosen to that
 * capability; free() the PTX. On failure, returns NULL and writes the reason to `why`. */
char *exec_fatbin_ptx(const char *image, size_t length, unsigned arch, unsigned *chosen, char *why, size_t size);

/* launch.c */
int exec_launch(struct exec_session *s, const struct exec_launch *l, const uint8_t *params, size_t bytes,
                struct exec_reply *r);
/* Returns the MEASURE_... bits of the checks. */
unsigned exec_measured(enum exec_checks checks);
extern volatile int exec_interrupted;
/* Appends output of a kernel to the answer. */
void exec_print(void *context, const char *text, size_t length);

/* order.c: streams, events, and the order of work. */
enum { EXEC_READS = 1, EXEC_WRITES = 2, EXEC_UPDATES = 4 /* by atomics */, EXEC_CELL = 4 /* bytes */ };
/* The bits of a cell, shifted left by EXEC_EARLY, are for accesses before the launch waited for the end of the previous
 * launch. */
enum { EXEC_EARLY = 3 };
struct exec_access {
    uint64_t begin, end; /* range of addresses */
    unsigned how;
    uint8_t *cells; /* EXEC_... bits of each cell, beginning at `base`, allocated with reserve(); if NULL, `how` applies
                       to the whole range */
    uint64_t base, cell_count;
    bool owns; /* whether the entry owns the cells and must free them */
};
struct exec_order *exec_order_new(void);
void exec_order_free(struct exec_order *o);
uint64_t exec_stream_new(struct exec_session *s, unsigned flags);
uint64_t exec_event_new(struct exec_session *s, unsigned flags);
int exec_handle_forget(struct exec_session *s, uint64_t handle);
bool exec_stream_known(const struct exec_session *s, uint64_t stream);
/* Adds work to a stream, and checks its accesses against concurrent work. `what` is the name of the program's call or,
 * in backquotes, of a kernel. `overlaps`: whether the work is a kernel that may start before the stream's previous
 * kernel has ended. Takes ownership of the cells. */
void exec_work(struct exec_session *s, uint64_t stream, const char *what, struct exec_access *a, unsigned count,
               double nanoseconds, bool overlaps);
bool exec_several_streams(const struct exec_session *s);
int exec_record(struct exec_session *s, uint64_t event, uint64_t stream);
int exec_wait(struct exec_session *s, uint64_t event, uint64_t stream);
int exec_finish(struct exec_session *s, uint64_t handle, struct exec_reply *r);
int exec_elapsed(struct exec_session *s, uint64_t a, uint64_t b, uint64_t *nanoseconds);
/* Handles the host's access to shared memory. Returns whether it conflicts with incomplete work, which is
 * reported. */
bool exec_host_touches(struct exec_session *s, uint64_t address, bool writes);
/* Adds to the answer the ranges of shared memory that incomplete work uses: all of them if `reset` is set, otherwise
 * only those of the latest work. */
void exec_pending(struct exec_session *s, struct exec_reply *r, bool reset);

/* Answers requests until the program exits (serve.c). */
void exec_serve(struct exec_session *s);
/* Creates the record at the end of the session (report.c). */
json_t *exec_record_of(struct exec_session *s, const char *program, int status);
void exec_page(const json_t *record, FILE *out, bool color);

#endif
