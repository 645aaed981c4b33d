/* A kernel by the name that the source has, and the names of its parameters. */
#include "run/run.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void append(char **text, const char *name) {
    char *longer = NULL;
    if (asprintf(&longer, "%s%s%s", *text ? *text : "", *text ? ", " : "", name) < 0) longer = NULL;
    free(*text);
    *text = longer;
}
const struct ptx_function *run_find_kernel(const struct ptx_module *m, const char *name, char **message) {
    const struct ptx_function *found = NULL;
    char *all = NULL, *same = NULL, plain[256];
    unsigned hits = 0;
    *message = NULL;
    for (unsigned k = 0; k < m->function_count; k++) {
        const struct ptx_function *f = m->functions[k];
        if (!f->entry) continue;
        finding_source_name(f->name, plain, sizeof plain);
        append(&all, plain);
        if (name && !strcmp(f->name, name)) return free(all), free(same), f;
        if (!name || strcmp(plain, name)) continue;
        found = f, hits++;
        append(&same, f->name);
    }
    if (hits != 1) found = NULL;
    if (hits > 1 && asprintf(message, "several kernels are called `%s`: say which one by its name in PTX: %s", name,
                             same ? same : "") < 0)
        *message = NULL;
    if (!hits && asprintf(message, "%s has %s%s%s%s", m->name, name ? "no kernel `" : "", name ? name : "",
                          name ? "`; it has " : "", all ? all : "no kernel at all") < 0)
        *message = NULL;
    free(all);
    free(same);
    return found;
}

static bool word_char(char c) { return isalnum((unsigned char)c) || c == '_'; }
/* The parameter list behind `kernel (` where __global__ stands before it in the same declaration; NULL: not found. */
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
/* The last word of `text` up to `end`: the name in "const float *__restrict__ in". */
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
        ok = n < f->param_count && n < RUN_MOST_ARGUMENTS && last_word(begin, s, names[n++]);
        begin = s + 1;
    }
    ok = ok && *s && n + 1 == f->param_count && n < RUN_MOST_ARGUMENTS && last_word(begin, s, names[n]);
    for (unsigned k = 0; !ok && k < f->param_count && k < RUN_MOST_ARGUMENTS; k++)
        snprintf(names[k], RUN_NAME, "arg%u", k + 1);
}
