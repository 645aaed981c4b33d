/* Where kernels run. A device is one const struct of functions in the table device_rows[]: `sim` (always there) and
 * `cuda`; device_worker is `sim` in a process that is not trusted. All calls return DEVICE_OK or say in error->message
 * whose fault it is and what to do. One session serves one thread. */
#ifndef DEVICE_DEVICE_H
#define DEVICE_DEVICE_H

#include "probes/probes.h"
#include "sim/sim.h"

enum device_status {
    DEVICE_OK,
    DEVICE_ABSENT,     /* no such hardware or driver on this machine */
    DEVICE_SETUP,      /* the machine's fault: driver too old, out of memory, ... */
    DEVICE_SUBMISSION, /* the kernel's fault: does not load, illegal address, endless loop, ... */
};
struct device_error {
    char message[512];
};

enum { DEVICE_AT_ONCE = 8 };
#define DEVICE_POISON 0xA5 /* bytes of a buffer that nobody has written */
bool device_is_poison(const void *data, size_t bytes);
struct device_module;  /* a loaded PTX module, of the device that loaded it; immutable, shared by threads where the
                          device allows */
struct device_session; /* memory and order of execution; one thread */

struct device_options {
    uint64_t seed;
    bool shuffle;
    uint64_t budget; /* sim: warp-instructions of a launch */
    unsigned cores;  /* sim: of the host, that a launch may use; 0: 1. What comes of it is the same */
    void (*print)(void *context, const char *text, size_t length); /* sim: what the kernel prints; NULL: dropped */
    void *print_context;
    bool bare; /* cuda: buffers without guard zones and poison, and code with line numbers, for tools that look for the
                  ends of buffers and for what was not written themselves */
    bool not_optimised; /* cuda: by the driver's compiler */
};
struct device_launch {
    const char *kernel;
    uint32_t grid, block;             /* x; all of a lab's launches, which are one-dimensional */
    uint32_t grid_yz[2], block_yz[2]; /* 0: 1 */
    uint32_t dynamic_shared;
    const void *const *params;
    unsigned param_count;
    const uint32_t *param_bytes;          /* of each; NULL: what the kernel takes (not for device_worker) */
    struct measurement *measurement;      /* sim only; may be NULL */
    const struct sim_listener *listeners; /* sim only: who else listens */
    unsigned listener_count;
    bool last;   /* of the session: after it `measured` is asked for, and nothing else is launched */
    bool queued; /* between start() and stop(): begins when what was launched before has ended, and is not waited for */
};
/* What a device that times says of itself. */
struct device_traits {
    char name[96];
    uint32_t multiprocessors;
    uint64_t free_bytes; /* of its memory, now */
    double peak;         /* bytes a nanosecond that its memory can move at most; 0: not known */
};
struct device {
    const char *name, *summary;
    bool measures;                                         /* runs probes (sim) */
    bool times;                                            /* `nanoseconds` is measured time (cuda) */
    enum device_status (*present)(struct device_error *e); /* DEVICE_OK or DEVICE_ABSENT with the reason */
    enum device_status (*load)(const char *ptx, size_t length, const char *name, struct device_module **m,
                               struct device_error *e);
    void (*unload)(struct device_module *m);
    enum device_status (*open)(struct device_module *m, const struct device_options *o, struct device_session **s,
                               struct device_error *e);
    void (*close)(struct device_session *s);
    enum device_status (*alloc)(struct device_session *s, const char *name, uint64_t bytes, unsigned flags,
                                uint64_t *address, struct device_error *e);
    enum device_status (*write)(struct device_session *s, uint64_t address, const void *from, uint64_t bytes,
                                struct device_error *e);
    /* Sessions that a thread had best have open, at most DEVICE_AT_ONCE; NULL: 1. */
    unsigned (*at_once)(const struct device_module *m);
    /* What the session will read next: asked for already, while other sessions go on. NULL: of no use here. */
    enum device_status (*expect)(struct device_session *s, uint64_t address, uint64_t bytes, struct device_error *e);
    enum device_status (*read)(struct device_session *s, uint64_t address, void *to, uint64_t bytes,
                               struct device_error *e);
    enum device_status (*variable)(struct device_session *s, const char *name, uint64_t *address, uint64_t *bytes,
                                   struct device_error *e);
    enum device_status (*launch)(struct device_session *s, const struct device_launch *l, double *nanoseconds,
                                 struct device_error *e);
    enum device_status (*release)(struct device_session *s, uint64_t address, struct device_error *e);
    /* Brings what the session's launches have measured into m, which measure_begin(m, 0) has made; NULL: it is in the
     * launches' own. */
    enum device_status (*measured)(struct device_session *s, struct measurement *m, struct device_error *e);
    /* The rest is of devices that time; NULL elsewhere. Their sessions share memory: what one has allocated may be
     * given to a kernel of another. */
    enum device_status (*describe)(struct device_traits *t, struct device_error *e);
    /* Cache lines that earlier launches have marked to stay go like all others, and no part of the cache is set aside.
     */
    enum device_status (*reset)(struct device_session *s, struct device_error *e);
    /* The clock runs from the end of all that was launched before start() to the end of all that was launched before
     * stop(), which waits until the whole device is idle. Faults of queued launches show in stop(), which also looks at
     * the guard zones of the session's buffers. One clock a device. */
    enum device_status (*start)(struct device_session *s, struct device_error *e);
    enum device_status (*stop)(struct device_session *s, double *nanoseconds, struct device_error *e);
};
extern const struct device device_worker; /* worker.h */
extern const struct device *const device_rows[];
extern const unsigned device_row_count;
const struct device *device_find(const char *name); /* NULL if there is none */
/* Asks present() in a child, for a process that will fork: CUDA does not survive that. */
enum device_status device_probe(const struct device *d, struct device_error *e);

#endif
