/* Filters the system calls in a sandbox (seccomp). Calls fail with EPERM if neither a compiler nor the simulator
 * needs them and they expose much of the Linux kernel to attacks. */
#include "sandbox/sandbox.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined __x86_64__
#define ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCH AUDIT_ARCH_AARCH64
#endif

/* Calls that the C library's headers may lack, although Linux has them. */
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#define SYS_quotactl_fd 443
#endif

static const int refused[] = {
    /* namespaces and mounts */
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_move_mount,
    SYS_mount_setattr,
    SYS_open_tree,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_quotactl,
    SYS_quotactl_fd,
    /* other processes */
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_pidfd_getfd,
    SYS_move_pages,
    SYS_migrate_pages,
#ifndef __SANITIZE_ADDRESS__ /* the sanitizer uses ptrace to detect leaks */
    SYS_ptrace,
#endif
    /* subsystems with a long history of vulnerabilities */
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_fanotify_init,
    SYS_vmsplice,
    /* the whole machine */
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_syslog,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
#ifdef __x86_64__
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_kexec_file_load,
#endif
};
/* flags with which clone() and unshare() create namespaces */
enum {
    NAMESPACES =
        CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP
};
enum { REFUSED = sizeof refused / sizeof *refused, MAX = 24 + 2 * REFUSED };

static void add(struct sock_filter *f, unsigned *n, unsigned code, unsigned k, unsigned yes, unsigned no) {
    f[(*n)++] = (struct sock_filter){(unsigned short)code, (unsigned char)yes, (unsigned char)no, k};
}
static void load(struct sock_filter *f, unsigned *n, size_t at) {
    add(f, n, BPF_LD | BPF_W | BPF_ABS, (unsigned)at, 0, 0);
}
static void answer(struct sock_filter *f, unsigned *n, unsigned error) {
    add(f, n, BPF_RET | BPF_K, error ? SECCOMP_RET_ERRNO | error : SECCOMP_RET_ALLOW, 0, 0);
}
#ifdef ARCH
static unsigned write_filter(struct sock_filter *f) {
    const size_t number = offsetof(struct seccomp_data, nr), argument = offsetof(struct seccomp_data, args);
    unsigned n = 0;
    load(f, &n, offsetof(struct seccomp_data, arch));
    add(f, &n, BPF_JMP | BPF_JEQ | BPF_K, ARCH, 1, 0);
    answer(f, &n, EPERM); /* rejects system calls of 32-bit programs */
    load(f, &n, number);
#ifdef __x86_64__
    add(f, &n, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1); /* rejects x32 */
    answer(f, &n, EPERM);
#endif
    for (unsigned k = 0; k < REFUSED; k++)
        add(f, &n, BPF_JMP | BPF_JEQ | BPF_K, (unsigned)refused[k], 0, 1), answer(f, &n, EPERM);
    /* clone3 passes its flags in memory, which a filter cannot read. If clone3 fails with ENOSYS, the C library
     * calls clone */
    add(f, &n, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
    answer(f, &n, ENOSYS);
    add(f, &n, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3);
    load(f, &n, argument);
    add(f, &n, BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 5);
    answer(f, &n, EPERM);
    add(f, &n, BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 3);
    load(f, &n, argument);
    add(f, &n, BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0);
    answer(f, &n, EPERM);
    answer(f, &n, 0);
    return n;
}
#endif
/* Passes an invalid filter: Linux returns EFAULT if it supports seccomp filters, otherwise EINVAL. */
bool sandbox_filters(void) {
#ifdef ARCH
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) && errno == EFAULT;
#else
    return false;
#endif
}
void sandbox_prepare(const char *const words[], size_t memory_bytes) {
    if (strcmp(words[0], SANDBOX_PROGRAM) != 0) return;
    sandbox_join(memory_bytes);
#ifdef ARCH
    struct sock_filter f[MAX];
    const unsigned n = write_filter(f);
    const int fd = memfd_create("filter", 0);
    if (fd < 0 || write(fd, f, n * sizeof *f) != (ssize_t)(n * sizeof *f) || lseek(fd, 0, SEEK_SET)) _exit(126);
    if (fd != SANDBOX_FILTER && (dup2(fd, SANDBOX_FILTER) < 0 || close(fd))) _exit(126);
#endif
}
