/* The protocol between the library in a program (cudart_*.c) and the simulator's process (serve.c). The library
 * sends requests through a socket, and each gets one answer. The simulator's process has the device memory, the modules
 * and the order of work. The library has only the state of the host, such as graphs and the last error. The program may
 * be killed at any time. */
#ifndef EXEC_WIRE_H
#define EXEC_WIRE_H

#include <stdint.h>

#define EXEC_SOCKET "GRADE_EXEC_SOCKET" /* environment variable that contains the socket's file descriptor */

/* Address ranges, which allow the library to classify a pointer by its value. Device memory is not accessible in the
 * program, so that dereferencing a device pointer causes a page fault. Memory that the host and the device share has
 * the same address in the program and in kernels. */
#define EXEC_DEVICE_BASE UINT64_C(0x700000000000)
#define EXEC_SHARED_BASE UINT64_C(0x780000000000)
#define EXEC_SHARED_END UINT64_C(0x7c0000000000)
/* Start of addresses that no process can have: those of module variables, of the kernels' heap, and of device memory
 * for which the range above is too small. */
#define EXEC_FAR_BASE (UINT64_C(1) << 60)

enum exec_memory { EXEC_ON_DEVICE, EXEC_MANAGED, EXEC_PINNED };
enum exec_free { EXEC_FREE_MEMORY, EXEC_FREE_PINNED, EXEC_FREE_ARRAY };

/* Requests. Before "Answer", a[] is a member of the request; after it, a[] is a member of the answer. Data may follow a
 * request and an answer. */
enum exec_op {
    EXEC_HELLO,    /* a[0]: CUDA's version. Answer: struct exec_device */
    EXEC_MODULE,   /* a[0]: whether to load the module now; data: the module's fat binaries or texts, one after another.
                    * Answer: a[0]: the module, or the error as text */
    EXEC_KERNEL,   /* a[0]: module; data: name. Answer: struct exec_kernel */
    EXEC_NAMES,    /* a[0]: module. Answer: a[0]: number of its kernels; data: their NUL-terminated names */
    EXEC_VARIABLE, /* a[0]: module; a[1]: whether the variable is managed; data: name. Answer: a[0]: address; a[1]:
                      bytes; file descriptor of the memory if it is managed */
    EXEC_ALLOCATE, /* a[0]: bytes; a[1]: enum exec_memory; a[2]: whether it is work in the stream a[3]. Answer: a[0]:
                      address; its file descriptor if it is shared */
    EXEC_FREE,     /* a[0]: address; a[1]: enum exec_free, the kind of call that frees it; a[2], a[3]: as for
                    * EXEC_ALLOCATE */
    EXEC_COPY,     /* a[EXEC_DST] and so on; data: the rows if the source is on the host. Answer: the rows if the
                      destination is on the host */
    EXEC_FILL,   /* a[0] to a[7]: address, pitch, width, height, value, stream, whether it is asynchronous, bytes of the
                    value */
    EXEC_LAUNCH, /* data: struct exec_launch, then the parameters. Answer: text that kernels printed */
    EXEC_POINTER,    /* a[0]: address. Answer: a[0]: start of the memory that contains it; a[1]: bytes; a[2]: enum
                        exec_memory + 1, or 0 */
    EXEC_LIMIT,      /* a[0]: kernel, if the limit is a kernel's; a[1]: enum exec_limit; a[2]: its value */
    EXEC_INFO,       /* answer: a[0]: free bytes; a[1]: total bytes */
    EXEC_STREAM,     /* a[0]: flags, or EXEC_BRANCH. Answer: a[0]: the stream */
    EXEC_EVENT,      /* a[0]: flags. Answer: a[0]: the event */
    EXEC_FORGET,     /* a[0]: a stream or an event */
    EXEC_RECORD,     /* a[0]: event; a[1]: stream */
    EXEC_WAIT,       /* a[0]: event; a[1]: the waiting stream */
    EXEC_FINISH,     /* a[0]: the stream or event that the host waits for, or EXEC_ALL */
    EXEC_ELAPSED,    /* a[0], a[1]: events. Answer: a[0]: nanoseconds between them */
    EXEC_KNOWN,      /* a[0]: stream; fails if it does not exist */
    EXEC_LEND,       /* a[0]: address of memory that a graph now owns, so that the program need not free it */
    EXEC_ARRAY,      /* data: struct exec_array. Answer: a[0]: its address, which identifies it */
    EXEC_LAYOUT,     /* a[0]: array; a[1]: level. Answer: a[0]: address of the level; data: struct exec_layout */
    EXEC_TEXTURE,    /* data: struct exec_texture. Answer: a[0]: the object */
    EXEC_NO_TEXTURE, /* a[0]: object to destroy; a[1]: whether it is a surface */
    EXEC_VIRTUAL,    /* a[0]: enum exec_virtual; a[1] and so on: its arguments. Answer: a[0]: address or handle */
    EXEC_RESET,      /* resets the device */
    EXEC_FAULT,      /* a[0]: address, or 0 if it is unknown; a[1]: whether it was a write; data: the registers. Answer:
                        a[0]: whether the program continues */
    EXEC_MISSING,    /* the program called a function that is not supported; data: the function's purpose, or nothing */
    EXEC_FAILED,     /* the library rejected a call; a[0]: error; data: the reason, or nothing */
    EXEC_BYE         /* the program exits; a[0]: the last error if it was not checked */
};
/* Requests about virtual memory, with their arguments in a[1] and so on. */
enum exec_virtual {
    EXEC_RESERVE,   /* bytes; answers an address */
    EXEC_UNRESERVE, /* address, bytes */
    EXEC_CREATE,    /* bytes; answers a handle of physical memory */
    EXEC_DROP,      /* handle */
    EXEC_MAP,       /* address, bytes, offset in the physical memory, handle */
    EXEC_UNMAP,     /* address, bytes */
    EXEC_ACCESS     /* address, bytes */
};
enum { EXEC_PAGE = 2 << 20 /* granularity of physical memory in bytes, as on an H100 */ };
#define EXEC_ALL UINT64_MAX
#define EXEC_BRANCH 0x101 /* flags of a stream for a branch of a graph; the stream is non-blocking */
enum { EXEC_FRAMES = 32, EXEC_ARGUMENTS = 9, EXEC_NAME = 56 };
/* Returns whether the call is one of the driver API, such as cuMemAlloc. */
static inline int exec_of_driver(const char *call) {
    return call[0] == 'c' && call[1] == 'u' && call[2] >= 'A' && call[2] <= 'Z';
}
struct exec_request {
    uint32_t op, frames;
    uint64_t bytes; /* bytes of data that follow */
    uint64_t a[EXEC_ARGUMENTS];
    uint64_t frame[EXEC_FRAMES]; /* call stack, innermost frame first, as offsets into the executable */
    char call[EXEC_NAME];        /* name of the CUDA function */
};
struct exec_answer {
    int32_t error;       /* cudaError_t */
    uint32_t descriptor; /* 1 if a file descriptor is attached, otherwise 0 */
    uint32_t ranges;     /* number of ranges that follow, which are shared memory that incomplete work accesses */
    uint32_t reset;      /* 1 if the library must first drop all earlier ranges, otherwise 0 */
    uint64_t bytes;      /* bytes of data after the ranges */
    uint64_t a[4];
};
struct exec_range {
    uint64_t address, bytes, writes;
};

/* Arguments of EXEC_COPY, which copies rows. A plain copy has a height of 1. */
enum { EXEC_DST, EXEC_DPITCH, EXEC_SRC, EXEC_SPITCH, EXEC_WIDTH, EXEC_HEIGHT, EXEC_KIND, EXEC_COPY_STREAM, EXEC_ASYNC };
/* Contents of EXEC_KIND: cudaMemcpyKind, and bits that classify the source and the destination. */
enum { EXEC_KIND_MASK = 7, EXEC_DST_HOST = 8, EXEC_SRC_HOST = 16, EXEC_DST_ARRAY = 32, EXEC_SRC_ARRAY = 64 };
struct exec_launch {
    uint64_t stream, shared;
    uint32_t kernel, cooperative, grid[3], block[3], cluster[3];
    uint32_t overlaps; /* whether the launch may start before the stream's previous kernel has ended */
};
enum { EXEC_PARAMETERS = 128 };
enum exec_limit {
    EXEC_DYNAMIC, /* bytes of dynamic shared memory */
    EXEC_CLUSTER, /* whether clusters may exceed 8 blocks */
    EXEC_PRINT    /* bytes of printf output per launch */
};
enum { EXEC_PRINT_BYTES = 8650752 /* the size of the printf buffer before any call sets it, as on an H200 */ };
struct exec_kernel {
    uint32_t number, parameters, registers, shared, dynamic, local, most_threads, constant, ptx, version;
    int32_t carveout; /* in percent, or -1 */
    uint32_t bytes[EXEC_PARAMETERS], offset[EXEC_PARAMETERS];
};
/* Format of texels, as in CUDA: bits of x, y, z and w, and cudaChannelFormatKind. */
struct exec_format {
    uint32_t bits[4], kind;
};
struct exec_array { /* arguments of cudaMalloc3DArray() */
    uint64_t width, height, depth;
    struct exec_format format;
    uint32_t flags, levels; /* levels: the argument of cudaMallocMipmappedArray(); otherwise 1 */
};
struct exec_layout { /* layout of an array: bytes per row, per slice or layer, and per texel */
    struct exec_array of;
    uint64_t pitch, slice, texel, width, height, slices;
};
enum exec_resource { EXEC_OF_ARRAY, EXEC_OF_LEVELS, EXEC_OF_LINEAR, EXEC_ROWS };
struct exec_texture {
    uint64_t address, bytes, width, height, pitch; /* bytes: size of linear memory; width, height, pitch: rows in it */
    struct exec_format format;                     /* of the texels in linear memory and in rows */
    uint32_t resource, surface, outside[3], linear, normalized, as_floats, between_levels, srgb, seamless;
    float border[4], level_bias, least_level, most_level;
};
struct exec_device {
    char name[256];
    uint64_t memory, shared_sm, l2;
    uint32_t sms, threads_sm, blocks_sm, cluster_blocks_sm, clock_khz, major, minor, reserved_shared;
    uint8_t gpc[16]; /* number of SMs in each GPC (a cluster runs within one GPC); all 0 if the GPU is treated as one
                        group */
};

#endif
