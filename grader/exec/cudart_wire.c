/* The library's end of the socket, and its handler for page faults. The handler reports the program's accesses to
 * memory that the program must never access, or may access only after device work has completed. */
#include "exec/cudart.h"
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>

enum {
    MAX_PROTECTED = 4096,
    PAGE = 4096,
    NO_PROGRAM = 5 /* exit status of a program that uses a feature that is not supported */
};
static int connection = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool asking;
static struct exec_device device;
static uintptr_t program_base, program_end;
static struct {
    uint64_t begin, end;
    bool writes; /* whether the device work writes the range, rather than only reads it */
} protected[MAX_PROTECTED];
static unsigned protected_count;

/* ---- the stack ------------------------------------------------------------------------------ */
/* Finds the address range of the program's own file, which the loader lists first. */
static int find_program(struct dl_phdr_info *i, size_t size, void *context) {
    program_base = i->dlpi_addr, program_end = 0;
    for (unsigned k = 0; k < i->dlpi_phnum; k++) {
        const uintptr_t end = i->dlpi_addr + i->dlpi_phdr[k].p_vaddr + i->dlpi_phdr[k].p_memsz;
        if (i->dlpi_phdr[k].p_type == PT_LOAD && end > program_end) program_end = end;
    }
    return 1;
}
/* Collects the call stack within the program's own file, as offsets of the call instructions. */
static uint32_t callers(uint64_t frame[EXEC_FRAMES], uintptr_t at) {
    void *stack[2 * EXEC_FRAMES];
    uint32_t n = 0;
    if (at >= program_base && at < program_end) frame[n++] = at - program_base;
    const int depth = backtrace(stack, 2 * EXEC_FRAMES);
    for (int k = 0; k < depth && n < EXEC_FRAMES; k++) {
        const uintptr_t back = (uintptr_t)stack[k];
        if (back >= program_base && back < program_end && back != at) frame[n++] = back - program_base - 1;
    }
    return n;
}

static __thread const struct cudart_site *place;
const struct cudart_site *cudart_site_use(const struct cudart_site *s) {
    const struct cudart_site *had = place;
    place = s;
    return had;
}
void cudart_site(struct cudart_site *s) { s->frames = callers(s->frame, 0); }

/* ---- bytes ---------------------------------------------------------------------------------- */
_Noreturn static void gone(void) { _exit(NO_PROGRAM); } /* the simulator has reported the reason and exited */
static void put(const void *from, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        const ssize_t n = send(connection, (const char *)from + done, bytes - done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) gone();
        done += (size_t)n;
    }
}
static void get(void *to, size_t bytes) {
    for (size_t done = 0; done < bytes;) {
        const ssize_t n = recv(connection, (char *)to + done, bytes - done, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) gone();
        done += (size_t)n;
    }
}
static void get_head(struct exec_answer *head, int *descriptor) {
    union {
        struct cmsghdr head;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control;
    struct iovec part = {head, sizeof *head};
    struct msghdr m = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
    ssize_t n;
    *descriptor = -1;
    while ((n = recvmsg(connection, &m, MSG_CMSG_CLOEXEC)) < 0 && errno == EINTR) continue;
    if (n <= 0) gone();
    const struct cmsghdr *c = CMSG_FIRSTHDR(&m);
    if (c && c->cmsg_type == SCM_RIGHTS) memcpy(descriptor, CMSG_DATA(c), sizeof *descriptor);
    get((char *)head + n, sizeof *head - (size_t)n);
}

/* ---- memory in use by the device --------------------------------------------------------------- */
static void unprotect_all(void) {
    for (unsigned k = 0; k < protected_count; k++)
        mprotect((void *)protected[k].begin, protected[k].end - protected[k].begin, PROT_READ | PROT_WRITE);
    protected_count = 0;
}
static void protect(const struct exec_range *r) {
    const uint64_t begin = r->address / PAGE * PAGE, end = (r->address + r->bytes + PAGE - 1) / PAGE * PAGE;
    if (protected_count == MAX_PROTECTED) return;
    if (mprotect((void *)begin, end - begin, r->writes ? PROT_NONE : PROT_READ))
        return;                                                    /* the program has freed the memory */
    for (unsigned k = 0; k < protected_count && !r->writes; k++) { /* pages that other work writes stay protected */
        const uint64_t from = begin > protected[k].begin ? begin : protected[k].begin,
                       to = end < protected[k].end ? end : protected[k].end;
        if (protected[k].writes && from < to) mprotect((void *)from, to - from, PROT_NONE);
    }
    protected[protected_count].begin = begin, protected[protected_count].end = end;
    protected[protected_count++].writes = r->writes;
}
/* Protects the ranges that device work uses. */
static void take_ranges(const struct exec_answer *head) {
    struct exec_range some[64];
    if (head->reset) unprotect_all();
    for (uint32_t done = 0; done < head->ranges;) {
        const uint32_t n = head->ranges - done < 64 ? head->ranges - done : 64;
        get(some, n * sizeof *some);
        for (uint32_t k = 0; k < n; k++) protect(&some[k]);
        done += n;
    }
}
bool cudart_map(uint64_t address, uint64_t bytes, int descriptor) {
    void *p = mmap((void *)address, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED_NOREPLACE, descriptor, 0);
    close(descriptor);
    return p == (void *)address;
}
void cudart_unmap(uint64_t address, uint64_t bytes) { munmap((void *)address, bytes); }

/* ---- asking ----------------------------------------------------------------------------------- */
static void take_payload(struct ask *q, uint64_t bytes) {
    char some[4096];
    if (q->to && q->to_pitch)
        for (size_t row = 0; row < q->height && bytes >= q->width; row++, bytes -= q->width)
            get((char *)q->to + row * q->to_pitch, q->width);
    else if (q->to) {
        const uint64_t n = bytes < q->room ? bytes : q->room;
        get(q->to, n), bytes -= n;
    }
    while (bytes) {
        const uint64_t n = bytes < sizeof some ? bytes : sizeof some;
        get(some, n), bytes -= n;
        if (q->prints) fwrite(some, 1, n, stdout);
    }
}
/* Converts an error to the number that the driver API uses. Most numbers are the same in both APIs. */
static int driver_error(int error) {
    switch (error) {
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidPitchValue:
    case cudaErrorInvalidMemcpyDirection: return cudaErrorInvalidValue;
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorInvalidSymbol: return cudaErrorSymbolNotFound;
    default: return error;
    }
}
/* Returns whether every later call returns the error, too. */
static bool stops_kernels(int error) {
    switch (error) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure: return true;
    default: return false;
    }
}
static __thread int stopped;                /* last checked error of stops_kernels(); it need not be checked again */
static __thread struct exec_request unseen; /* last call whose error the program has not checked; a[0]: the error */
void cudart_asked(void) { unseen.a[0] = 0; }
static cudaError_t ask_at(struct ask *q, uintptr_t at) {
    struct exec_request r = {.op = q->op, .bytes = q->bytes + q->more_bytes + (q->rows ? q->width * q->height : 0)};
    struct exec_answer head;
    memcpy(r.a, q->a, sizeof r.a);
    snprintf(r.call, sizeof r.call, "%s", q->call);
    struct cudart_site here = {.frames = callers(here.frame, at)};
    const struct cudart_site *named = place && !at ? place : &here;
    memcpy(r.frame, named->frame, sizeof r.frame), r.frames = named->frames;
    if (q->op == EXEC_BYE) memcpy(r.frame, unseen.frame, sizeof r.frame), r.frames = unseen.frames;
    pthread_mutex_lock(&lock);
    asking = true;
    put(&r, sizeof r);
    put(q->payload, q->bytes);
    put(q->more, q->more_bytes);
    for (size_t row = 0; q->rows && row < q->height; row++) put((const char *)q->rows + row * q->pitch, q->width);
    get_head(&head, &q->descriptor);
    take_ranges(&head);
    take_payload(q, head.bytes);
    asking = false;
    pthread_mutex_unlock(&lock);
    memcpy(q->answer, head.a, sizeof q->answer);
    if (exec_of_driver(q->call)) head.error = driver_error(head.error);
    if (head.error && head.error != cudaErrorNotReady && r.op != EXEC_BYE) {
        uint64_t back[EXEC_FRAMES];
        for (uint32_t k = 0; k < here.frames; k++) back[k] = program_base + here.frame[k] + 1;
        if (strcmp(r.call, CUDART_LAUNCH) && cudart_seen(back, here.frames))
            stopped = stops_kernels(head.error) ? head.error : stopped;
        else if (head.error != stopped)
            unseen = r, unseen.a[0] = (uint64_t)head.error;
    }
    return (cudaError_t)head.error;
}
static _Atomic bool used;
bool cudart_used(void) { return used; }
cudaError_t cudart_ask(struct ask *q) {
    const cudaError_t error = ask_at(q, 0);
    if (exec_of_driver(q->call)) return error; /* driver calls do not affect the runtime's last error */
    used |= q->call[0] != 0;
    return cudart_keep(error);
}
cudaError_t cudart_refuse(const char *call, cudaError_t error, const char *why) {
    struct ask q = {.call = call, .op = EXEC_FAILED, .a = {error}, .payload = why, .bytes = why ? strlen(why) : 0};
    return cudart_ask(&q);
}
void cudart_missing(const char *call, const char *about) {
    struct ask q = {.call = call, .op = EXEC_MISSING, .payload = about, .bytes = about ? strlen(about) : 0};
    fflush(NULL);
    cudart_ask(&q);
    gone();
}
const struct exec_device *cudart_device(void) { return &device; }

/* ---- faults ------------------------------------------------------------------------------------- */
static struct sigaction before;
static void fault(int number, siginfo_t *info, void *context) {
    const ucontext_t *u = context;
    uint64_t registers[16] = {0}, address = info->si_code == SI_KERNEL ? 0 : (uintptr_t)info->si_addr;
    uintptr_t at = 0;
    bool writes = false;
#ifdef __x86_64__
    for (unsigned k = 0; k < 16; k++) registers[k] = (uint64_t)u->uc_mcontext.gregs[k];
    at = (uintptr_t)u->uc_mcontext.gregs[REG_RIP], writes = u->uc_mcontext.gregs[REG_ERR] & 2;
#endif
    struct ask q = {
        .call = "", .op = EXEC_FAULT, .a = {address, writes}, .payload = registers, .bytes = sizeof registers};
    if (!asking) {
        ask_at(&q, at);
        if (q.answer[0] && protected_count) {
            unprotect_all(); /* report only once; the next synchronization protects memory again */
            return;
        }
    }
    sigaction(number, &before, NULL); /* the access is repeated, and now kills the program */
}
static void say_bye(void) {
    struct ask q = {.call = unseen.frames ? unseen.call : "", .op = EXEC_BYE, .a = {unseen.a[0]}};
    fflush(stdout);
    ask_at(&q, 0);
}
__attribute__((constructor(101))) static void begin(void) {
    const char *number = getenv(EXEC_SOCKET);
    if (!number) {
        fputs("this library works only under ./grade exec: run the program with `./grade exec`\n", stderr);
        _exit(NO_PROGRAM);
    }
    connection = atoi(number);
    void *warm[2];
    backtrace(warm, 2); /* the first call to backtrace() loads a library, which a signal handler must not do */
    dl_iterate_phdr(find_program, NULL);
    /* reserve the address range of device pointers */
    mmap((void *)EXEC_DEVICE_BASE, EXEC_SHARED_BASE - EXEC_DEVICE_BASE, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    struct sigaction action = {.sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    sigaction(SIGSEGV, &action, &before);
    struct ask q = {.call = "", .op = EXEC_HELLO, .a = {CUDART_VERSION}, .to = &device, .room = sizeof device};
    ask_at(&q, 0);
    unsetenv("LD_PRELOAD"); /* child processes of the program do not use the device */
    atexit(say_bye);
}
