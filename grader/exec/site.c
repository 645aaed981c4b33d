/* Lines of the program's source by addresses of its code. addr2line, of the binutils, runs beside the session and is
 * asked line by line; without it, or without -g, places are not known, and the report says what it can. */
#include "base/array.h"
#include "base/file.h"
#include "exec/serve.h"
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct asked {
    uint64_t address;
    struct exec_site site;
    char symbol[256];
};
struct exec_places {
    FILE *to, *from;
    pid_t child;
    struct asked **asked;
    unsigned count, room;
};

struct exec_places *exec_places_new(const char *program) {
    struct exec_places *p = calloc(1, sizeof *p);
    int in[2], out[2];
    if (!p || pipe2(in, O_CLOEXEC)) return p;
    if (pipe2(out, O_CLOEXEC)) return close(in[0]), close(in[1]), p;
    p->child = fork();
    if (p->child == 0) {
        const int null = open("/dev/null", O_WRONLY);
        setpgid(0, 0); /* ctrl-C is for the program */
        dup2(in[0], 0), dup2(out[1], 1), dup2(null, 2);
        execlp("addr2line", "addr2line", "-f", "-e", program, (char *)NULL);
        _exit(127);
    }
    close(in[0]), close(out[1]);
    p->to = fdopen(in[1], "w"), p->from = fdopen(out[0], "r");
    return p;
}
void exec_places_free(struct exec_places *p) {
    if (!p) return;
    if (p->to) fclose(p->to);
    if (p->from) fclose(p->from);
    if (p->child > 0) waitpid(p->child, NULL, 0);
    for (unsigned k = 0; k < p->count; k++) free(p->asked[k]);
    free(p->asked);
    free(p);
}

/* "FUNCTION\nPATH:LINE[ (discriminator N)]\n" */
static void ask(struct exec_places *p, struct asked *a) {
    char path[1024], name[sizeof a->symbol];
    if (!p->to || !p->from || fprintf(p->to, "0x%llx\n", (unsigned long long)a->address) < 0 || fflush(p->to)) return;
    if (!fgets(name, sizeof name, p->from) || !fgets(path, sizeof path, p->from)) return;
    name[strcspn(name, "\n")] = 0, path[strcspn(path, "\n")] = 0;
    if (name[0] != '?') snprintf(a->symbol, sizeof a->symbol, "%s", name);
    char *colon = strrchr(path, ':');
    const long line = colon ? strtol(colon + 1, NULL, 10) : 0;
    if (line <= 0 || path[0] == '?') return;
    *colon = 0;
    const char *base = strrchr(path, '/');
    snprintf(a->site.path, sizeof a->site.path, "%.*s", (int)sizeof a->site.path - 1, path);
    snprintf(a->site.file, sizeof a->site.file, "%.*s", (int)sizeof a->site.file - 1, base ? base + 1 : path);
    a->site.line = (uint32_t)line;
}
static struct asked *find(struct exec_places *p, uint64_t address) {
    for (unsigned k = p->count; k-- > 0;)
        if (p->asked[k]->address == address) return p->asked[k];
    struct asked **all = array_room(p->asked, p->count + 1, &p->room, sizeof *all);
    struct asked *a = calloc(1, sizeof *a);
    if (all) p->asked = all;
    if (!all || !a) return free(a), NULL;
    a->address = address;
    ask(p, a);
    char plain[256];
    finding_source_name(a->symbol, plain, sizeof plain);
    snprintf(a->site.function, sizeof a->site.function, "%.*s", (int)sizeof a->site.function - 1, plain);
    return p->asked[p->count++] = a;
}
static bool ends_with(const char *s, const char *end) {
    const size_t n = strlen(s), m = strlen(end);
    return n >= m && !strcmp(s + n - m, end);
}
static bool is_header_of_cuda(const struct exec_site *s) {
    static const char *const names[] = {"cuda_runtime.h", "cuda_runtime_api.h", "host_runtime.h", "device_functions.h",
                                        "cooperative_groups.h"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(s->file, names[k])) return true;
    return ends_with(s->file, ".stub.c") || ends_with(s->file, ".cudafe1.cpp");
}
const struct exec_site *exec_place(struct exec_places *p, const uint64_t *frame, unsigned frames) {
    static const struct exec_site nowhere;
    const struct asked *named = NULL;
    bool stub = false;
    for (unsigned k = 0; p && k < frames; k++) {
        const struct asked *a = find(p, frame[k]);
        if (!a) break;
        const bool is_stub = strstr(a->symbol, "__device_stub_") != NULL;
        /* a kernel's stub, and the kernel's own name on the host's side, which calls it */
        const bool skipped = is_stub || stub || is_header_of_cuda(&a->site);
        stub = is_stub;
        if (skipped) continue;
        if (a->site.file[0]) return &a->site;
        if (!named && a->site.function[0] && strncmp(a->symbol, "_ZL", 3)) named = a;
    }
    return named ? &named->site : &nowhere;
}

char *exec_source_line(const char *path, uint32_t line) {
    char *text = *path ? file_read(path, 0, 16 << 20, NULL) : NULL, *at = text;
    for (uint32_t k = 1; at && k < line; k++) at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    char *copy = at ? strndup(at, strcspn(at, "\n")) : NULL;
    free(text);
    return copy;
}
/* Behind the call's name and "(": casts and "&" go, up to the comma. */
void exec_argument_name(const struct exec_site *s, const char *call, char *out, size_t size) {
    char *text = exec_source_line(s->path, s->line);
    char *at = text ? strstr(text, call) : NULL;
    out[0] = 0;
    if (at && (at = strchr(at, '('))) {
        at++;
        for (;;) {
            while (isspace((unsigned char)*at) || *at == '&') at++;
            if (*at != '(') break;
            char *close = strchr(at, ')');
            if (!close) break;
            at = close + 1;
        }
        size_t n = 0;
        while (isalnum((unsigned char)at[n]) || (at[n] && strchr("_.[]->", at[n]))) n++;
        if (n && n < size && (isalpha((unsigned char)*at) || *at == '_')) memcpy(out, at, n), out[n] = 0;
    }
    free(text);
}
