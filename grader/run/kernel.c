/* Finds a kernel by its name in the source, and the names of its parameters. */
#include "run/run.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------------------- */
/* Removes whitespace and integer suffixes, so that "f<4u>" equals "f< 4 >". */
static void squeeze(const char *name, char *out, size_t size) {
    size_t n = 0;
    for (const char *c = name; *c && n + 1 < size; c++) {
        const bool suffix = n && strchr("uUlL", *c) && isdigit((unsigned char)out[n - 1]) && name < c &&
                            strspn(c, "uUlL") == strcspn(c, ",>");
        if (!isspace((unsigned char)*c) && !suffix) out[n++] = *c;
        if (suffix) c += strspn(c, "uUlL") - 1;
    }
    out[n] = 0;
}
bool run_is_called(const char *whole, const char *name) {
    char a[256], b[256];
    squeeze(whole, a, sizeof a), squeeze(name, b, sizeof b);
    const size_t n = strlen(a), m = strlen(b);
    if (!m || m > n || strcmp(a + n - m, b)) return false;
    return m == n || (n - m >= 2 && a[n - m - 1] == ':' && !memchr(a, '<', n - m));
}
/* Returns the number of kernels with that source name. */
static unsigned namesakes(const struct ptx_module *m, const char *plain) {
    char other[256];
    unsigned count = 0;
    for (unsigned k = 0; k < m->function_count; k++)
        count +=
            m->functions[k]->entry && !strcmp(finding_source_name(m->functions[k]->name, other, sizeof other), plain);
    return count;
}
/* Prints the reasons why the kernel cannot run, with the names of functions as in the source. */
static void explain(FILE *f, const struct ptx_module *m, const struct ptx_function *kernel) {
    char why[600], symbol[256], name[256];
    for (const struct ptx_reason *r = kernel->reasons; r; r = r->next) {
        fputs(r == kernel->reasons ? " cannot run here: " : "\n    and ", f);
        for (const char *at = ptx_why(m, r, why, sizeof why); *at;) {
            const size_t n = strncmp(at, "`_Z", 3) ? 0 : strcspn(at + 1, "`");
            if (n && n < sizeof symbol) {
                snprintf(symbol, sizeof symbol, "%.*s", (int)n, at + 1);
                fprintf(f, "`%s", run_demangle(symbol, name, sizeof name));
                at += n + 1;
            } else
                fputc(*at++, f);
        }
    }
}
/* Prints a list entry for the kernel if its source name is ambiguous or the kernel cannot run. For an ambiguous name,
 * the entry shows the template arguments and the PTX name; for a kernel that cannot run, it shows the reasons. */
static void describe(FILE *f, const struct ptx_module *m, const struct ptx_function *kernel, bool shared) {
    char name[256];
    run_demangle(kernel->name, name, sizeof name);
    if (shared)
        fprintf(f, "\n  '%s'  %s", name, kernel->name);
    else if (kernel->reasons)
        fprintf(f, "\n  %s", finding_source_name(kernel->name, name, sizeof name));
    explain(f, m, kernel);
}
static void list(FILE *f, const struct ptx_module *m, const char *plain) {
    char own[256];
    for (unsigned k = 0; k < m->function_count; k++) {
        const struct ptx_function *kernel = m->functions[k];
        if (!kernel->entry) continue;
        finding_source_name(kernel->name, own, sizeof own);
        if (!plain || !strcmp(own, plain)) describe(f, m, kernel, namesakes(m, own) > 1);
    }
}
static char *say_kernels(const struct ptx_module *m, const char *name, bool several) {
    char *text = NULL, plain[256];
    size_t size;
    FILE *f = open_memstream(&text, &size);
    unsigned count = 0;
    if (!f) return NULL;
    if (several) {
        fprintf(f, "more than one kernel is named `%s`: give the full name of one of them", name);
        list(f, m, name);
    } else {
        fprintf(f, "%s has ", m->name);
        if (name) fprintf(f, "no kernel `%s`; it has ", name);
        for (unsigned k = 0; k < m->function_count; k++)
            if (m->functions[k]->entry)
                fprintf(f, "%s%s", count++ ? ", " : "",
                        finding_source_name(m->functions[k]->name, plain, sizeof plain));
        if (!count) fprintf(f, "no kernel");
        if (!count)
            fprintf(f, ": compilers omit a template that the file does not use, unless you give its arguments, as in "
                       "'kernel<4, int>'");
        else if (!name)
            fprintf(f, ": write the name of a kernel after the file");
        list(f, m, NULL);
    }
    return fclose(f) ? NULL : text;
}
const struct ptx_function *run_find_kernel(const struct ptx_module *m, const char *name, char **message) {
    const struct ptx_function *found = NULL;
    char plain[256], whole[256];
    unsigned hits = 0;
    *message = NULL;
    for (unsigned k = 0; name && k < m->function_count; k++) {
        const struct ptx_function *f = m->functions[k];
        if (!f->entry) continue;
        if (!strcmp(f->name, name)) return f;
        finding_source_name(f->name, plain, sizeof plain);
        if (strcmp(plain, name) && !run_is_called(run_demangle(f->name, whole, sizeof whole), name)) continue;
        found = f, hits++;
    }
    if (hits == 1) return found;
    *message = say_kernels(m, name, hits > 1);
    return NULL;
}

char *run_why_not(const struct ptx_module *m, const struct ptx_function *kernel) {
    char *text = NULL, plain[256];
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f) return NULL;
    fprintf(f, "kernel `%s`", finding_source_name(kernel->name, plain, sizeof plain));
    explain(f, m, kernel);
    return fclose(f) ? NULL : text;
}

/* ---- parameters ----------------------------------------------------------------------------- */
static bool word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }
/* Returns the text after `kernel (` in a __global__ declaration, or NULL if there is none. */
static const char *parameter_list(const char *source, const char *kernel) {
    const size_t n = strlen(kernel);
    for (const char *at = strstr(source, kernel); at; at = strstr(at + 1, kernel)) {
        const char *behind = at + n + strspn(at + n, " \t\n");
        if ((at > source && word_char(at[-1])) || *behind != '(') continue;
        const char *begin = at;
        while (begin > source && begin[-1] != ';' && begin[-1] != '}') begin--;
        const char *global = strstr(begin, "__global__");
        if (global && global < at) return behind + 1;
    }
    return NULL;
}
/* Copies the last word before `end`: in "const float *__restrict__ in", the parameter's name. */
static bool last_word(const char *text, const char *end, char out[RUN_NAME]) {
    while (end > text && !word_char(end[-1])) end--;
    const char *begin = end;
    while (begin > text && word_char(begin[-1])) begin--;
    if (begin == end || isdigit((unsigned char)*begin) || end - begin >= RUN_NAME) return false;
    snprintf(out, RUN_NAME, "%.*s", (int)(end - begin), begin);
    return true;
}
void run_parameter_names(const struct ptx_function *f, const char *kernel, const char *source, char names[][RUN_NAME]) {
    const char *s = source && kernel ? parameter_list(source, kernel) : NULL, *begin = s;
    unsigned n = 0, depth = 0;
    bool ok = s != NULL;
    for (; ok && *s && (depth || *s != ')'); s++) {
        if (strchr("(<[{", *s)) depth++;
        if (strchr(")>]}", *s) && depth) depth--;
        if (*s != ',' || depth) continue;
        ok = n < f->param_count && n < RUN_MAX_ARGUMENTS && last_word(begin, s, names[n++]);
        begin = s + 1;
    }
    ok = ok && *s && n + 1 == f->param_count && n < RUN_MAX_ARGUMENTS && last_word(begin, s, names[n]);
    for (unsigned k = 0; !ok && k < f->param_count && k < RUN_MAX_ARGUMENTS; k++)
        snprintf(names[k], RUN_NAME, "arg%u", k + 1);
}
