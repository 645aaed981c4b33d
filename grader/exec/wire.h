/* The protocol between the library in a program (cudart_*.c) and the simulator's process (serve.c): requests, each with
 * one answer, over a socket. The library has no device memory, and no state except for the current requests of threads.
 * The program may be killed at any time. */
#ifndef EXEC_WIRE_H
#define EXEC_WIRE_H

#include <stdint.h>

#define EXEC_SOCKET "GRADE_EXEC_SOCKET" /* environment variable with the socket's number */

/* Address ranges, so that the library can classify a pointer by its value. The first range is unmapped in every
 * process, so dereferencing a device pointer causes a page fault. Shared memory has the same address in both processes.
 */
#define EXEC_DEVICE_BASE UINT64_C(0x700000000000)
#define EXEC_SHARED_BASE UINT64_C(0x780000000000)
#define EXEC_SHARED_END UINT64_C(0x7c0000000000)
#define EXEC_FAR_BASE                                                                                                  \
    (UINT64_C(1) << 60) /* module variables and the heap of kernels; not valid addresses of a process */

enum exec_memory { EXEC_ON_DEVICE, EXEC_MANAGED, EXEC_PINNED };
enum exec_free { EXEC_FREE_MEMORY, EXEC_FREE_PINNED, EXEC_FREE_ARRAY };

/* Requests. The numbers are indices of the request's numeric arguments; after "answer", those of the answer. */
enum exec_op {
    EXEC_HELLO,    /* 0 CUDA's version; answer: struct exec_device */
    EXEC_MODULE,   /* the module's fat binaries or texts, one after another; 0 whether to load it now; answer 0 its
                      number, or why it cannot be loaded */
    EXEC_KERNEL,   /* 0 module; name; answer: struct exec_kernel */
    EXEC_VARIABLE, /* 0 module, 1 managed; name; answer 0 address, 1 bytes, and its memory if it is managed */
    EXEC_ALLOCATE, /* 0 bytes, 1 enum exec_memory; answer 0 address, and its memory if it is shared */
    EXEC_FREE,     /* 0 address, 1 the call, enum exec_free */
    EXEC_COPY,   /* EXEC_DST ...; the rows if the host is the source; answer: the rows if the host is the destination */
    EXEC_FILL,   /* 0 address, 1 pitch, 2 width, 3 height, 4 value, 5 stream, 6 asynchronous, 7 bytes of the value */
    EXEC_LAUNCH, /* struct exec_launch, then the parameters; answer: the kernels' output */
    EXEC_POINTER,    /* 0 address; answer 0 start of the memory there, 1 its bytes, 2 enum exec_memory + 1, or 0 */
    EXEC_LIMIT,      /* 0 kernel, 1 its maximum dynamic shared memory */
    EXEC_INFO,       /* answer 0 free, 1 total bytes */
    EXEC_STREAM,     /* 0 flags; answer 0 the stream */
    EXEC_EVENT,      /* 0 flags; answer 0 the event */
    EXEC_FORGET,     /* 0 a stream or an event */
    EXEC_RECORD,     /* 0 event, 1 stream */
    EXEC_WAIT,       /* 0 event, 1 the waiting stream */
    EXEC_FINISH,     /* the host waits for 0: a stream, an event, EXEC_ALL */
    EXEC_ELAPSED,    /* 0, 1 events; answer 0 nanoseconds */
    EXEC_CAPTURE,    /* 0 stream, whose requests are recorded in a graph from now on */
    EXEC_CAPTURED,   /* 0 stream; answer 0 the graph */
    EXEC_STATE,      /* 0 stream; answer 0 whether it is capturing */
    EXEC_GRAPH,      /* 0 graph, 1 stream: performs its requests; answer as for EXEC_LAUNCH */
    EXEC_ARRAY,      /* struct exec_array; answer 0: its address, which identifies it */
    EXEC_LAYOUT,     /* 0 array; answer: struct exec_layout */
    EXEC_TEXTURE,    /* struct exec_texture; answer 0: the object */
    EXEC_NO_TEXTURE, /* destroys an object: 0 the object, 1 whether it is a surface */
    EXEC_RESET,      /* resets the device */
    EXEC_FAULT,      /* 0 address or 0, 1 whether it was a write; the registers; answer 0 whether the program
                        continues */
    EXEC_MISSING,    /* the call is not supported */
    EXEC_FAILED,     /* the library has rejected the call: 0 error; the reason, or nothing */
    EXEC_BYE         /* the program exits: 0 the last error if it was not checked */
};
#define EXEC_ALL UINT64_MAX
enum { EXEC_FRAMES = 8, EXEC_ARGUMENTS = 9, EXEC_NAME = 56 };
/* Whether it is a call of the driver API, such as cuMemAlloc. */
static inline int exec_of_driver(const char *call) {
    return call[0] == 'c' && call[1] == 'u' && call[2] >= 'A' && call[2] <= 'Z';
}
struct exec_request {
    uint32_t op, frames;
    uint64_t bytes; /* size of the data that follows */
    uint64_t a[EXEC_ARGUMENTS];
    uint64_t frame[EXEC_FRAMES]; /* offsets in the program's file: the callers, innermost first */
    char call[EXEC_NAME];        /* the CUDA function that was called */
};
struct exec_answer {
    int32_t error;       /* cudaError_t */
    uint32_t descriptor; /* 1: a file descriptor is attached */
    uint32_t ranges;     /* number of ranges that follow: shared memory accessed by incomplete work */
    uint32_t reset;      /* 1: the library drops all earlier ranges */
    uint64_t bytes;      /* after them */
    uint64_t a[4];
};
struct exec_range {
    uint64_t address, bytes, writes;
};

/* The arguments of EXEC_COPY, which copies rows; a plain copy has height 1. */
enum { EXEC_DST, EXEC_DPITCH, EXEC_SRC, EXEC_SPITCH, EXEC_WIDTH, EXEC_HEIGHT, EXEC_KIND, EXEC_COPY_STREAM, EXEC_ASYNC };
/* EXEC_KIND: cudaMemcpyKind, and bits that say where the sides are */
enum { EXEC_KIND_MASK = 7, EXEC_DST_HOST = 8, EXEC_SRC_HOST = 16, EXEC_DST_ARRAY = 32, EXEC_SRC_ARRAY = 64 };
struct exec_launch {
    uint64_t stream, shared;
    uint32_t kernel, cooperative, grid[3], block[3], cluster[3], unused;
};
enum { EXEC_PARAMETERS = 128 };
struct exec_kernel {
    uint32_t number, parameters, registers, shared, local, most_threads, constant, ptx, version;
    uint32_t bytes[EXEC_PARAMETERS], offset[EXEC_PARAMETERS];
};
/* The format of texels, as in CUDA: bits of x, y, z, w; cudaChannelFormatKind. */
struct exec_format {
    uint32_t bits[4], kind;
};
struct exec_array { /* for cudaMalloc3DArray() */
    uint64_t width, height, depth;
    struct exec_format format;
    uint32_t flags;
};
struct exec_layout { /* layout of an array's texels: bytes from row to row, from one slice or layer to the next, and of
                        a texel */
    struct exec_array of;
    uint64_t pitch, slice, texel, width, height, slices;
};
enum exec_resource { EXEC_OF_ARRAY, EXEC_OF_LINEAR, EXEC_ROWS };
struct exec_texture {
    uint64_t address, bytes, width, height, pitch; /* bytes: of linear memory; width, height, pitch: of rows in it */
    struct exec_format format;                     /* of both */
    uint32_t resource, surface, outside[3], linear, normalized, as_floats;
    float border[4];
};
struct exec_device {
    char name[256];
    uint64_t memory, shared_sm, l2;
    uint32_t sms, threads_sm, blocks_sm, cluster_blocks_sm, clock_khz, major, minor, reserved_shared;
    uint8_t gpc[16]; /* SMs of each group that holds whole clusters; all 0: there is only one group */
};

#endif
