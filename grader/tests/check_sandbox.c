/* Tests the sandbox's system-call filter (seccomp). Interprets the BPF program for every call number. Then makes
 * each rejected call with the filter installed. This file has its own table of rejected calls. */
/* run: sanitized */
#include "sandbox/sandbox.h"
#include "tests/rows.h"
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __aarch64__
enum { OWN = AUDIT_ARCH_AARCH64, OTHER = AUDIT_ARCH_ARM };
#else
enum { OWN = AUDIT_ARCH_X86_64, OTHER = AUDIT_ARCH_I386 };
#endif
enum { NUMBERS = 600 /* greater than any system call's number */, X32 = 0x40000000, MAX = 400 };

#ifndef SYS_mount_setattr /* as in sandbox/filter.c */
#define SYS_mount_setattr 442
#define SYS_quotactl_fd 443
#endif
static const struct call {
    const char *name;
    unsigned number;
} refused[] = {
#define CALL(name)                                                                                                     \
    { #name, SYS_##name }
    CALL(unshare),
    CALL(setns),
    CALL(mount),
    CALL(umount2),
    CALL(pivot_root),
    CALL(chroot),
    CALL(move_mount),
    CALL(mount_setattr),
    CALL(open_tree),
    CALL(fsopen),
    CALL(fsconfig),
    CALL(fsmount),
    CALL(fspick),
    CALL(name_to_handle_at),
    CALL(open_by_handle_at),
    CALL(quotactl),
    CALL(quotactl_fd),
    CALL(process_vm_readv),
    CALL(process_vm_writev),
    CALL(kcmp),
    CALL(pidfd_getfd),
    CALL(move_pages),
    CALL(migrate_pages),
#ifndef __SANITIZE_ADDRESS__
    CALL(ptrace),
#endif
    CALL(bpf),
    CALL(perf_event_open),
    CALL(userfaultfd),
    CALL(io_uring_setup),
    CALL(io_uring_enter),
    CALL(io_uring_register),
    CALL(add_key),
    CALL(request_key),
    CALL(keyctl),
    CALL(fanotify_init),
    CALL(vmsplice),
    CALL(init_module),
    CALL(finit_module),
    CALL(delete_module),
    CALL(kexec_load),
    CALL(reboot),
    CALL(swapon),
    CALL(swapoff),
    CALL(acct),
    CALL(syslog),
    CALL(settimeofday),
    CALL(clock_settime),
    CALL(adjtimex),
    CALL(clock_adjtime),
    CALL(sethostname),
    CALL(setdomainname),
#ifdef __x86_64__
    CALL(iopl),
    CALL(ioperm),
    CALL(modify_ldt),
    CALL(kexec_file_load),
#endif
};
/* Calls whose verdict depends on the architecture or on the first argument. */
static const struct special {
    const char *name;
    unsigned arch, number;
    unsigned long argument;
    int error; /* 0 if allowed */
} specials[] = {
    {"a system call of another architecture", OTHER, SYS_getpid, 0, EPERM},
    {"the number of an allowed call, but of another architecture", OTHER, SYS_read, 0, EPERM},
#ifdef __x86_64__
    {"an x32 system call", OWN, X32 | SYS_getpid, 0, EPERM},
    {"the last number of x32", OWN, ~0u, 0, EPERM},
#endif
    {"clone3, whose flags are in memory", OWN, SYS_clone3, 0, ENOSYS},
    {"a thread", OWN, SYS_clone,
     CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_SETTLS, 0},
    {"a process", OWN, SYS_clone, CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | 17, 0},
    {"a user namespace", OWN, SYS_clone, CLONE_NEWUSER | 17, EPERM},
    {"a mount namespace", OWN, SYS_clone, CLONE_NEWNS | 17, EPERM},
    {"a network namespace", OWN, SYS_clone, CLONE_NEWNET | 17, EPERM},
    {"a PID namespace", OWN, SYS_clone, CLONE_NEWPID | 17, EPERM},
    {"an IPC namespace", OWN, SYS_clone, CLONE_NEWIPC | 17, EPERM},
    {"a host name namespace", OWN, SYS_clone, CLONE_NEWUTS | 17, EPERM},
    {"a control group namespace", OWN, SYS_clone, CLONE_NEWCGROUP | 17, EPERM},
    {"a local socket", OWN, SYS_socket, AF_UNIX, 0},
    {"a network socket", OWN, SYS_socket, AF_INET, EPERM},
    {"a network socket, IPv6", OWN, SYS_socket, AF_INET6, EPERM},
    {"a packet socket", OWN, SYS_socket, AF_PACKET, EPERM},
    {"a netlink socket", OWN, SYS_socket, AF_NETLINK, EPERM},
    {"a socket of the Linux crypto API", OWN, SYS_socket, AF_ALG, EPERM},
    {"a virtual machine socket", OWN, SYS_socket, AF_VSOCK, EPERM},
    {"a pair of local sockets", OWN, SYS_socketpair, AF_UNIX, 0},
};

/* ---- the program, interpreted -------------------------------------------------------------------- */
static struct sock_filter program[MAX];
static unsigned length;
static void read_program(void) {
    static const char *const words[] = {SANDBOX_PROGRAM, NULL};
    sandbox_prepare(words, 0);
    const ssize_t n = read(SANDBOX_FILTER, program, sizeof program);
    ck_assert(n > 0 && n % (ssize_t)sizeof *program == 0 && n < (ssize_t)sizeof program);
    length = (unsigned)((size_t)n / sizeof *program);
    close(SANDBOX_FILTER);
}
/* Interprets the program. Returns the error with which it rejects the call, or 0 if it allows the call. */
static int verdict(unsigned arch, unsigned number, unsigned long argument) {
    const struct seccomp_data data = {.arch = arch, .nr = (int)number, .args = {argument}};
    unsigned value = 0;
    for (unsigned at = 0; at < length; at++) {
        const struct sock_filter *f = &program[at];
        switch (f->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            ck_assert_uint_le(f->k + sizeof value, sizeof data);
            memcpy(&value, (const char *)&data + f->k, sizeof value);
            break;
        case BPF_JMP | BPF_JEQ | BPF_K: at += value == f->k ? f->jt : f->jf; break;
        case BPF_JMP | BPF_JGE | BPF_K: at += value >= f->k ? f->jt : f->jf; break;
        case BPF_JMP | BPF_JSET | BPF_K: at += value & f->k ? f->jt : f->jf; break;
        case BPF_RET | BPF_K:
            if (f->k == SECCOMP_RET_ALLOW) return 0;
            ck_assert_uint_eq(f->k & SECCOMP_RET_ACTION_FULL, SECCOMP_RET_ERRNO);
            return (int)(f->k & SECCOMP_RET_DATA);
        default: ck_abort_msg("instruction %u of the filter: unknown code %#x", at, f->code);
        }
    }
    ck_abort_msg("the filter ends without a verdict on call %u", number);
}
static const struct call *find_refused(unsigned number) {
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (refused[k].number == number) return &refused[k];
    return NULL;
}
/* Calls in the table must be rejected. All others, except clone3 and socket, must be allowed, because compilers and the
 * simulator may need them. */
START_TEST(calls_are_rejected_or_allowed) {
    read_program();
    for (unsigned number = 0; number < NUMBERS; number++) {
        const struct call *call = find_refused(number);
        const bool special = number == SYS_clone3 || number == SYS_socket;
        const int error = verdict(OWN, number, 0);
        ck_assert_msg(special || error == (call ? EPERM : 0), "call %u (%s): error %d", number,
                      call ? call->name : "not in the table", error);
    }
}
END_TEST
START_TEST(architectures_and_arguments_are_checked) {
    const struct special *s = &specials[_i];
    read_program();
    const int error = verdict(s->arch, s->number, s->argument);
    ck_assert_msg(error == s->error, "%s: error %d, expected %d", s->name, error, s->error);
}
END_TEST

/* ---- the filter in the kernel ------------------------------------------------------------------ */
/* Makes the rejected calls under the filter. Their arguments are invalid, so they have no effect even if the filter
 * allows them. Returns 0 if all are rejected, otherwise the position in the table, counted from 1, of the first call
 * that is not. Returns 255 if the filter cannot be installed, and 254 if it is wrong about sockets or getpid(). */
static int first_not_refused(void) {
    const struct sock_fprog filter = {.len = (unsigned short)length, .filter = program};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter)) return 255;
    for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
        if (syscall((long)refused[k].number, -1L, -1L, -1L, -1L, -1L, -1L) != -1 || errno != EPERM) return (int)k + 1;
    return socket(AF_UNIX, SOCK_STREAM, 0) < 0 || socket(AF_INET, SOCK_STREAM, 0) >= 0 || getpid() <= 0 ? 254 : 0;
}
START_TEST(linux_accepts_the_filter) {
    int status;
    if (!sandbox_filters()) {
        printf("SKIP the system-call filter in the Linux kernel: it has no seccomp\n");
        return;
    }
    read_program();
    const pid_t pid = fork();
    if (pid == 0) _exit(first_not_refused());
    ck_assert(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
    const int first = WEXITSTATUS(status);
    ck_assert_msg(!first, "%s",
                  first == 255   ? "the Linux kernel rejects the filter"
                  : first == 254 ? "sockets"
                                 : refused[first - 1].name);
}
END_TEST

int main(void) {
    const struct test_row rows[] = {{"calls", calls_are_rejected_or_allowed, 1},
                                    {"special", architectures_and_arguments_are_checked, ROWS(specials)},
                                    {"kernel", linux_accepts_the_filter, 1}};
    return run_rows("sandbox", rows, sizeof rows / sizeof *rows);
}
