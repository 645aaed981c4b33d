/* Unpacks the archives among the submissions. bsdtar (Libarchive) reads them in the sandbox, because an archive is
 * untrusted and its format is hard to parse safely. Extracts from a student's archive only files that may belong to a
 * submission, within limits. */
#include "base/file.h"
#include "class/class.h"
#include "sandbox/process.h"
#include "sandbox/sandbox.h"
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_MEMBERS = 200,    /* maximum number of files to extract from a student's archive */
    MAX_MEMBER = 2 << 20, /* maximum size of each file in bytes */
    MAX_TOTAL = 16 << 20, /* maximum size of all files together in bytes */
    MAX_NAMES = 1 << 20   /* maximum length of all file names together in bytes */
};
static const char *const endings[] = {".zip",  ".zipx",   ".tar", ".tar.gz",  ".tgz",  ".tar.bz2", ".tbz",
                                      ".tbz2", ".tar.xz", ".txz", ".tar.zst", ".tzst", ".7z",      ".rar"};
size_t unpack_knows(const char *path) {
    const size_t n = strlen(path);
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++) {
        const size_t m = strlen(endings[k]);
        if (n > m && !strcasecmp(path + n - m, endings[k])) return m;
    }
    return 0;
}

/* Patterns for the names of files that may belong to a submission. bsdtar fails if a pattern matches no file, so only
 * patterns that match are passed to it. */
enum { PATTERNS = 3 };
static const struct {
    const char *ending, *pattern;
} members[PATTERNS] = {{".cu", "*.[Cc][Uu]"},
                       {".cu.txt", "*.[Cc][Uu].[Tt][Xx][Tt]"},
                       {"predictions.txt", "*[Pp][Rr][Ee][Dd][Ii][Cc][Tt][Ii][Oo][Nn][Ss].[Tt][Xx][Tt]"}};

/* Runs bsdtar with `how` (-t or -x) and the wanted patterns. The caller frees its output. With a password on the
 * command line, bsdtar does not prompt for a password. */
static struct process_result run(const char *program, const char *how, const struct unpack *u,
                                 const bool wanted[PATTERNS]) {
    const char *command[24] = {program, how, "-f", u->archive, "--passphrase", "none", "--exclude", "__MACOSX"};
    unsigned n = 8;
    for (unsigned k = 0; wanted && k < PATTERNS; k++)
        if (wanted[k]) command[n++] = "--include", command[n++] = members[k].pattern;
    if (!strcmp(how, "-x")) command[n++] = "--no-same-permissions", command[n++] = "-C", command[n++] = u->folder;
    const struct sandbox box = {
        .compiler = true, .shown = {{u->archive, u->archive}}, .utf8 = true, .writable = u->folder, .command = command};
    const struct process_limits limits = {.wall_seconds = u->all ? 600 : 60,
                                          .cpu_seconds = u->all ? 300 : 10,
                                          .memory_bytes = (size_t)1 << 30,
                                          .file_bytes = u->all ? (size_t)1 << 30 : MAX_MEMBER,
                                          .output_bytes = MAX_NAMES};
    char **words = u->trusted ? NULL : sandbox_words(&box);
    struct process_result r = {.end = PROCESS_NOT_STARTED};
    if (u->trusted || words) r = process_run(u->trusted ? command : (const char *const *)words, &limits);
    sandbox_free(words);
    return r;
}
/* The contents of an archive: the number of names that may belong to a submission, the number of other names, and the
 * first of the other names. */
struct content {
    unsigned wanted, others;
    const char *other;
};
/* Counts the names (one per line, folders end in "/"), and marks the patterns that they match. */
static struct content content_of(char *names, bool wanted[PATTERNS]) {
    struct content c = {0};
    for (char *name; (name = strsep(&names, "\n"));) {
        bool any = false;
        if (!strncmp(name, "./", 2)) name += 2;
        for (unsigned k = 0; k < PATTERNS; k++) {
            const size_t n = strlen(name), m = strlen(members[k].ending);
            const bool matches = n >= m && !strcasecmp(name + n - m, members[k].ending);
            wanted[k] |= matches, any |= matches;
        }
        c.wanted += any;
        if (!any && *name && name[strlen(name) - 1] != '/' && !c.others++) c.other = name;
    }
    return c;
}
/* Returns the reason in bsdtar's output, such as "bsdtar: Truncated ZIP file header": the first line that is neither
 * a warning nor the summary. */
static const char *reason_in(const char *said, int *length) {
    static const char own[] = "bsdtar: ", *const others[] = {"Removing leading", "Error exit delayed"};
    for (; *said; said += strcspn(said, "\n"), said += *said == '\n') {
        /* The list of the archive's members may precede the message on the same line. */
        const char *at = strstr(said, own);
        if (at && at < said + strcspn(said, "\n")) said = at + sizeof own - 1;
        bool other = *said == '\n';
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            other |= !strncmp(said, others[k], strlen(others[k]));
        if (!other) break;
    }
    const char *noise = strstr(said, ": Unknown error"); /* an error without a number */
    *length = strncmp(said, "(null)", 6) ? (int)strcspn(said, "\n") : 0;
    if (noise && noise < said + *length) *length = (int)(noise - said);
    return said;
}
static void explain(const struct process_result *r, char *message, size_t size) {
    static const char locked[] = ": Incorrect passphrase"; /* after the name of a file in the archive */
    int length = 0;
    const char *said = r->output ? reason_in(r->output, &length) : "";
    /* The sandbox's status is above 128 after a signal killed the program. */
    if (r->end == PROCESS_NOT_STARTED)
        snprintf(message, size, "cannot be unpacked: %s", said);
    else if (r->end != PROCESS_EXITED || r->status > 128)
        snprintf(message, size, "cannot be unpacked: it exceeds the limits on time or size");
    else if (length >= (int)strlen(locked) && !strncmp(said + length - strlen(locked), locked, strlen(locked)))
        snprintf(message, size, "cannot be unpacked: it is password-protected");
    else
        snprintf(message, size, "cannot be unpacked%s%.*s", length ? ": " : "", length, said);
}
/* Lists the archive. Returns whether it contains at least one wanted file and at most as many as a submission may
 * have. */
static bool look_into(const char *program, const struct unpack *u, bool wanted[PATTERNS], char *message, size_t size) {
    struct process_result r = run(program, "-t", u, NULL);
    const bool read = r.end == PROCESS_EXITED && !r.status;
    const struct content c = read ? content_of(r.output, wanted) : (struct content){0};
    if (r.cut)
        snprintf(message, size, "cannot be unpacked: it contains too many files");
    else if (c.wanted > MAX_MEMBERS)
        snprintf(message, size, "cannot be unpacked: more than %d .cu and .txt files", MAX_MEMBERS);
    else if (!read)
        explain(&r, message, size);
    else if (!c.wanted && !c.others)
        snprintf(message, size, "is an empty archive");
    else if (!c.wanted) {
        const int n = snprintf(message, size, "contains no .cu file, only %.200s", c.other);
        if (c.others > 1) snprintf(message + n, size - (size_t)n, " and %u more", c.others - 1);
    }
    free(r.output);
    return read && !r.cut && c.wanted && c.wanted <= MAX_MEMBERS;
}
/* Returns the total size of the files in the folder. */
static size_t bytes_in(const char *folder) {
    char *const roots[] = {(char *)folder, NULL};
    FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    size_t sum = 0;
    for (FTSENT *e; tree && (e = fts_read(tree));) sum += e->fts_info == FTS_F ? (size_t)e->fts_statp->st_size : 0;
    if (tree) fts_close(tree);
    return sum;
}
bool unpack_has_room(const char *folder) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/room-XXXXXX", folder);
    const int fd = mkstemp(path);
    const int error = fd < 0 ? errno : posix_fallocate(fd, 0, MAX_TOTAL);
    if (fd >= 0) close(fd), unlink(path);
    return error != ENOSPC && error != EDQUOT;
}
bool unpack(const struct unpack *u, char *message, size_t size) {
    char inside[PATH_MAX];
    char *program = process_find("bsdtar");
    if (!program)
        return snprintf(message, size, "is an archive: `sudo apt-get install libarchive-tools` lets the kit unpack it"),
               false;
    snprintf(inside, sizeof inside, "%s/", u->folder);
    file_make_folders(inside, 0700);
    bool wanted[PATTERNS] = {false}, ok = u->all || look_into(program, u, wanted, message, size);
    if (ok) {
        struct process_result r = run(program, "-x", u, wanted);
        ok = r.end == PROCESS_EXITED && !r.status;
        if (!ok) explain(&r, message, size);
        free(r.output);
    }
    free(program);
    if (ok && !u->all && bytes_in(u->folder) > MAX_TOTAL) {
        snprintf(message, size, "cannot be unpacked: its .cu and .txt files exceed %d MiB", MAX_TOTAL >> 20);
        ok = false;
    }
    if (!ok) file_remove_folder(u->folder); /* ensures that no extracted file is mistaken for a submission */
    return ok;
}
