/* Finds the source lines of code addresses in the program. addr2line (binutils) runs during the session and answers
 * queries. Without it, or if the program was compiled without -g, sites are unknown, and findings in host code have no
 * source lines. */
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

/* A code address and its functions, innermost first. There are several if calls were inlined there. */
enum { MAX_INLINED = 6 };
struct asked {
    uint64_t address;
    unsigned count;
    struct {
        struct exec_site site;
        char symbol[256];
    } of[MAX_INLINED];
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
        setpgid(0, 0); /* so that Ctrl-C does not end addr2line */
        dup2(in[0], 0), dup2(out[1], 1), dup2(null, 2);
        execlp("addr2line", "addr2line", "-f", "-i", "-a", "-e", program, (char *)NULL);
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

/* Stores a pair of lines from the answer: "FUNCTION" and "PATH:LINE[ (discriminator N)]". */
static void keep(struct asked *a, const char *symbol, char *path) {
    if (a->count == MAX_INLINED) return;
    struct exec_site *s = &a->of[a->count].site;
    char plain[256];
    if (symbol[0] != '?') snprintf(a->of[a->count].symbol, sizeof a->of->symbol, "%s", symbol);
    finding_source_name(a->of[a->count++].symbol, plain, sizeof plain);
    snprintf(s->function, sizeof s->function, "%.*s", (int)sizeof s->function - 1, plain);
    char *colon = strrchr(path, ':');
    const long line = colon ? strtol(colon + 1, NULL, 10) : 0;
    if (line <= 0 || path[0] == '?') return;
    *colon = 0;
    const char *base = strrchr(path, '/');
    snprintf(s->path, sizeof s->path, "%.*s", (int)sizeof s->path - 1, path);
    snprintf(s->file, sizeof s->file, "%.*s", (int)sizeof s->file - 1, base ? base + 1 : path);
    s->line = (uint32_t)line;
}
/* Reads a line without its newline, truncated to fit `out`, because names of template instances may be thousands of
 * characters long. */
static bool read_line(FILE *from, char *out, size_t size) {
    if (!fgets(out, (int)size, from)) return false;
    const size_t n = strcspn(out, "\n");
    for (int c = out[n]; c != '\n' && c != EOF;) c = getc(from);
    return out[n] = 0, true;
}
/* Sends a query, and a second one for address 0, whose answer marks the end of the first answer. Each answer is the
 * address in hexadecimal, followed by pairs of lines. */
static void ask(struct exec_places *p, struct asked *a) {
    char path[1024], name[256];
    if (!p->to || !p->from || fprintf(p->to, "0x%llx\n0\n", (unsigned long long)a->address) < 0 || fflush(p->to))
        return;
    if (!read_line(p->from, name, sizeof name)) return; /* the address */
    while (read_line(p->from, name, sizeof name) && strncmp(name, "0x", 2) != 0 &&
           read_line(p->from, path, sizeof path))
        keep(a, name, path);
    if (read_line(p->from, name, sizeof name)) read_line(p->from, path, sizeof path); /* the pair for address 0 */
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
    return p->asked[p->count++] = a;
}
bool exec_ends_with(const char *s, const char *end) {
    const size_t n = strlen(s), m = strlen(end);
    return n >= m && !strcmp(s + n - m, end);
}
bool exec_of_toolkit(const char *path) {
    static const char *const folders[] = {"/cccl/", "/cub/", "/thrust/", "/cuda/std/", "/cooperative_groups/"};
    for (size_t k = 0; path && k < sizeof folders / sizeof *folders; k++)
        if (strstr(path, folders[k])) return true;
    return false;
}
static bool is_header_of_cuda(const struct exec_site *s) {
    static const char *const names[] = {"cuda_runtime.h", "cuda_runtime_api.h", "host_runtime.h", "device_functions.h",
                                        "cooperative_groups.h"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (!strcmp(s->file, names[k])) return true;
    if (exec_of_toolkit(s->path)) return true;
    return exec_ends_with(s->file, ".stub.c") || exec_ends_with(s->file, ".cudafe1.cpp");
}
const struct exec_site *exec_place(struct exec_places *p, const uint64_t *frame, unsigned frames) {
    static const struct exec_site nowhere;
    const struct exec_site *named = NULL;
    bool stub = false;
    for (unsigned k = 0; p && k < frames; k++) {
        const struct asked *a = find(p, frame[k]);
        for (unsigned n = 0; a && n < a->count; n++) {
            const char *symbol = a->of[n].symbol;
            const struct exec_site *s = &a->of[n].site;
            const bool is_stub = strstr(symbol, "__device_stub_") != NULL;
            /* skip a kernel's stub, and the host function of the kernel's name, which calls the stub */
            const bool skipped = is_stub || stub || is_header_of_cuda(s);
            stub = is_stub;
            if (skipped) continue;
            if (s->file[0]) return s;
            if (!named && s->function[0] && strncmp(symbol, "_ZL", 3) != 0) named = s;
        }
    }
    return named ? named : &nowhere;
}

char *exec_source_line(const char *path, uint32_t line) {
    char *text = *path ? file_read(path, 0, 16 << 20, NULL) : NULL, *at = text;
    for (uint32_t k = 1; at && k < line; k++) at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
    char *copy = at ? strndup(at, strcspn(at, "\n")) : NULL;
    free(text);
    return copy;
}
/* Returns the text after the "(" of call `index` on the line, or NULL. */
static char *arguments_of(char *text, const char *call, unsigned index) {
    const size_t length = strlen(call);
    for (char *at = text; at && (at = strstr(at, call)); at += length)
        if (strchr("(< ", at[length]) && !index--) return strchr(at, '(') ? strchr(at, '(') + 1 : NULL;
    return NULL;
}
/* Extracts the text between the call's "(" and the first comma, without casts and &. */
void exec_argument_name(const struct exec_site *s, const char *call, unsigned index, char *out, size_t size) {
    char *text = exec_source_line(s->path, s->line), *at = arguments_of(text, call, index);
    out[0] = 0;
    if (at) {
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
