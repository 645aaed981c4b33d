/* Creates a control group (cgroup v2) for each sandbox, if this process may do that. The group limits the processes and
 * memory of the whole sandbox. Without control groups, only setrlimit() limits them: the memory of each process
 * separately, and the number of all processes of the user, unless the user is root.
 *
 * If the group of this process was delegated, groups are created in it. For example, a container's own group is
 * delegated, and so is the group of `systemd-run --user --scope -p Delegate=yes`. A group that contains processes
 * cannot limit its children. Therefore its processes first move to a child group, LEAF, which then also contains the
 * graders that they start later. */
#include "sandbox/sandbox.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define LEAF "graders"
#define PREFIX "sandbox-" /* start of a group's name; the id of the group's first process follows */
#define PROCESSES "4096"
enum { PATH_ROOM = PATH_MAX, VALUE_ROOM = 4096, TRIES = 200, PAUSE_US = 5000 };

static char base[PATH_ROOM]; /* group whose children are sandboxes, or "" for none */
static const char *lacking;  /* why `base` is empty */
#define DELEGATE "`systemd-run --user --scope -p Delegate=yes COMMAND` runs a command with delegated control groups"

/* ---- files of a group --------------------------------------------------------------------------- */
static bool read_value(const char *group, const char *file, char *value, size_t size) {
    char path[PATH_ROOM + 64];
    snprintf(path, sizeof path, "%s/%s", group, file);
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t n = fd < 0 ? -1 : read(fd, value, size - 1);
    if (fd >= 0) close(fd);
    value[n > 0 ? n : 0] = 0;
    return n >= 0;
}
static bool write_value(const char *group, const char *file, const char *value) {
    char path[PATH_ROOM + 64];
    snprintf(path, sizeof path, "%s/%s", group, file);
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    const bool ok = fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value);
    if (fd >= 0) close(fd);
    return ok;
}
static bool has_word(const char *text, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += n)
        if ((at == text || at[-1] == ' ') && (!at[n] || strchr(" \n", at[n]))) return true;
    return false;
}
static bool limits_children(const char *group) {
    char on[VALUE_ROOM];
    return read_value(group, "cgroup.subtree_control", on, sizeof on) && has_word(on, "memory") && has_word(on, "pids");
}

/* ---- where ------------------------------------------------------------------------------------- */
/* Finds the folder of this process's group, from the line 0::PATH of /proc/self/cgroup. */
static bool find_own(char *own, size_t size) {
    char line[PATH_ROOM];
    bool found = false;
    FILE *f = fopen("/proc/self/cgroup", "re");
    while (f && !found && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        /* Rejects a group that is not visible in this container. */
        found = !strncmp(line, "0::/", 4) && !strstr(line, "/../");
    }
    if (f) fclose(f);
    return found && (size_t)snprintf(own, size, "/sys/fs/cgroup%s", line[4] ? line + 3 : "") < size;
}
static bool is_delegated(const char *group) {
    char mark[2] = "";
    return !strcmp(group, "/sys/fs/cgroup") || (getxattr(group, "user.delegate", mark, 1) == 1 && mark[0] == '1');
}
/* Moves the processes of `group` to its LEAF, and enables the group to limit its children. The next iteration moves
 * processes that started in the meantime. Returns false on failure. */
static bool empty_group(const char *group) {
    char leaf[PATH_ROOM], id[32];
    if ((size_t)snprintf(leaf, sizeof leaf, "%s/" LEAF, group) >= sizeof leaf) return false;
    if (mkdir(leaf, 0755) && errno != EEXIST) return false;
    for (unsigned k = 0; k < TRIES; k++) {
        char path[PATH_ROOM + 64];
        bool any = false;
        snprintf(path, sizeof path, "%s/cgroup.procs", group);
        FILE *f = fopen(path, "re");
        while (f && fscanf(f, "%31s", id) == 1) any = true, write_value(leaf, "cgroup.procs", id);
        if (f) fclose(f);
        if (!any || write_value(group, "cgroup.subtree_control", "+memory +pids")) return true;
    }
    return false;
}
/* Removes the groups that killed graders left behind. Linux does not remove a group in use. */
static void remove_leftovers(const char *group) {
    char path[PATH_ROOM + 300];
    DIR *d = opendir(group);
    for (const struct dirent *e; d && (e = readdir(d));) {
        if (strncmp(e->d_name, PREFIX, sizeof PREFIX - 1) != 0) continue;
        if (!kill((pid_t)strtol(e->d_name + sizeof PREFIX - 1, NULL, 10), 0) || errno != ESRCH) continue;
        snprintf(path, sizeof path, "%s/%s", group, e->d_name);
        rmdir(path);
    }
    if (d) closedir(d);
}
/* Enables the group `own` to limit its children. Returns NULL on success, or the reason for the failure. */
static const char *cannot_limit(const char *own) {
    if (limits_children(own)) return NULL;
    if (!is_delegated(own)) return "no control groups are delegated to this process: " DELEGATE;
    if (!write_value(own, "cgroup.subtree_control", "+memory +pids") && (errno != EBUSY || !empty_group(own)))
        return "this process may not change its own control group (read-only, or owned by another user): " DELEGATE;
    return limits_children(own) ? NULL : "the Linux kernel cannot limit the memory and processes of control groups";
}
bool sandbox_groups(void) {
    static bool tried;
    char own[PATH_ROOM], *end;
    if (tried) return base[0];
    tried = true;
    lacking = "this system has no cgroup v2 (control groups, version 2)";
    if (!find_own(own, sizeof own) || access(own, F_OK)) return false;
    if ((end = strrchr(own, '/')) && !strcmp(end, "/" LEAF)) *end = 0;
    if ((lacking = cannot_limit(own))) return false;
    remove_leftovers(own);
    snprintf(base, sizeof base, "%s", own);
    return true;
}
const char *sandbox_no_groups(void) { return sandbox_groups() ? NULL : lacking; }

/* ---- one sandbox ---------------------------------------------------------------------------------- */
static void group_of(pid_t leader, char *path, size_t size) {
    snprintf(path, size, "%s/" PREFIX "%ld", base, (long)leader);
}
void sandbox_join(size_t memory_bytes) {
    char path[PATH_ROOM + 64], bytes[32];
    if (!base[0]) return;
    group_of(getpid(), path, sizeof path);
    if (mkdir(path, 0755) && errno != EEXIST) return;
    snprintf(bytes, sizeof bytes, "%zu", memory_bytes);
    write_value(path, "pids.max", PROCESSES);
    if (memory_bytes) {
        write_value(path, "memory.max", bytes);
        write_value(path, "memory.swap.max", "0");
        write_value(path, "memory.oom.group", "1");
    }
    write_value(path, "cgroup.procs", "0");
}
size_t sandbox_end(pid_t leader) {
    char path[PATH_ROOM + 64], events[VALUE_ROOM], most[64];
    if (leader <= 0) return 0;
    kill(-leader, SIGKILL);
    if (!base[0]) return 0;
    group_of(leader, path, sizeof path);
    const char *killed = read_value(path, "memory.events", events, sizeof events) ? strstr(events, "oom_kill ") : NULL;
    const bool over =
        killed && strtoul(killed + sizeof "oom_kill", NULL, 10) && read_value(path, "memory.max", most, sizeof most);
    write_value(path, "cgroup.kill", "1"); /* also kill processes that left the sandbox's process group */
    for (unsigned k = 0; k < TRIES && rmdir(path) && errno == EBUSY; k++) usleep(PAUSE_US);
    return over ? strtoull(most, NULL, 10) : 0;
}
