/* Parses the output of compute-sanitizer. Each line begins with "=========". After that, the title of a report is
 * indented by one space, and its details by more:
 *
 *   ========= Invalid __global__ read of size 4 bytes
 *   =========     at kernel(const float *, float *)+0xc0 in no_guard.cu:8
 *   =========     by thread (36,0,0) in block (1,0,0)
 *   =========         Device Frame: kernel(...)+0x80 in caller.cu:8       the function above was inlined into this one
 *
 * The title of a race contains the first access, and the details contain the second one:
 *
 *   ========= Error: Race reported between Read access at kernel(...)+0x160 in tree.cu:12
 *   =========     and Write access at kernel(...)+0x180 in tree.cu:12 [128 hazards] */
#include "hardware/hardware.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_LINE = 600 };

/* Beginnings of titles of reports that are not about the kernel, but about driver API calls of the host or about the
 * run itself. */
static const char *const not_of_kernels[] = {"COMPUTE-SANITIZER", "Program hit ", "Host API ", "Target application ",
                                             "LEAK SUMMARY"};

/* Parses "... in FILE:LINE" at the end of the text or before " [". */
static bool place(const char *text, char *file, size_t size, unsigned *line) {
    const char *in = NULL, *bracket = strstr(text, " ["), *colon = NULL;
    const char *end = bracket ? bracket : text + strlen(text);
    for (const char *s = strstr(text, " in "); s && s < end; s = strstr(s + 1, " in ")) in = s + 4;
    for (const char *s = in; s && s < end; s++)
        if (*s == ':') colon = s;
    if (!colon || !isdigit((unsigned char)colon[1])) return false;
    for (const char *s = in; s < colon; s++)
        if (*s == '/') in = s + 1;
    snprintf(file, size, "%.*s", (int)(colon - in), in);
    *line = (unsigned)strtoul(colon + 1, NULL, 10);
    return true;
}
/* Returns the number in "[128 hazards]", or 1. */
static uint64_t hazards(const char *text) {
    const char *bracket = strstr(text, " [");
    const unsigned long long n = bracket && isdigit((unsigned char)bracket[2]) ? strtoull(bracket + 2, NULL, 10) : 0;
    return n ? n : 1;
}
/* The report that is being parsed. */
struct reading {
    struct sanitizer_report report; /* the report's title is "" if there is no report to add */
    char access[40];                /* kind of the first access of a race, such as "Read access" */
    struct sanitizer_reports *all;
};
static void keep_report(struct sanitizer_reports *all, const struct sanitizer_report *r) {
    for (unsigned k = 0; k < all->count; k++) {
        struct sanitizer_report *o = &all->item[k];
        if (strcmp(o->title, r->title) || strcmp(o->file, r->file) || o->line != r->line || o->other != r->other)
            continue;
        o->count += r->count;
        return;
    }
    if (all->count == MAX_REPORTS)
        all->dropped += r->count;
    else
        all->item[all->count++] = *r;
}
static void begin_report(struct reading *now, const char *text) {
    struct sanitizer_report *r = &now->report;
    const char *at = strstr(text, " access at "), *between = strstr(text, " between ");
    *r = (struct sanitizer_report){.count = 1};
    now->access[0] = 0;
    if (at && between && between < at) {
        snprintf(now->access, sizeof now->access, "%.*s", (int)(at - between - 9), between + 9);
        place(text, r->file, sizeof r->file, &r->line);
    }
    snprintf(r->title, sizeof r->title, "%.*s", now->access[0] ? (int)(between - text) : (int)strlen(text), text);
    const size_t n = strlen(r->title);
    if (n && r->title[n - 1] == '.') r->title[n - 1] = 0;
}
/* Adds a report for a second access of a race. A race may have several second accesses. */
static void second_access(struct reading *now, const char *text) {
    struct sanitizer_report r = now->report;
    const char *at = strstr(text, " access at ");
    char file[80];
    if (!place(text, file, sizeof file, &r.other)) r.other = 0;
    const size_t n = strlen(r.title);
    snprintf(r.title + n, sizeof r.title - n, ": %s and %.*s", now->access, (int)(at - text - 4), text + 4);
    r.count = hazards(text);
    if (r.title[0] != ':') keep_report(now->all, &r);
}
static void detail(struct reading *now, const char *text) {
    struct sanitizer_report *r = &now->report;
    if (now->access[0] && !strncmp(text, "and ", 4) && strstr(text, " access at "))
        second_access(now, text);
    else if ((!strncmp(text, "at ", 3) && !r->line) || !strncmp(text, "Device Frame:", 13))
        place(text, r->file, sizeof r->file, &r->line); /* the last frame belongs to the kernel */
}
static void end(struct reading *now) {
    if (now->report.title[0] && !now->access[0]) keep_report(now->all, &now->report);
    now->report.title[0] = now->access[0] = 0;
}
static bool is_of_kernel(const char *title) {
    if (!strncmp(title, "Program hit ", 12) && strstr(title, "cuLaunchKernel"))
        return true; /* the launch was rejected */
    for (size_t k = 0; k < sizeof not_of_kernels / sizeof *not_of_kernels; k++)
        if (!strncmp(title, not_of_kernels[k], strlen(not_of_kernels[k]))) return false;
    return true;
}
void sanitizer_parse(const char *text, struct sanitizer_reports *all) {
    struct reading now = {.all = all};
    memset(all, 0, sizeof *all);
    for (const char *s = text, *next; *s; s = next) {
        char line[MAX_LINE];
        const size_t n = strcspn(s, "\n");
        next = s[n] ? s + n + 1 : s + n;
        snprintf(line, sizeof line, "%.*s", (int)(n < MAX_LINE - 1 ? n : MAX_LINE - 1), s);
        if (strncmp(line, "========= ", 10)) continue;
        const char *words = line + 10 + strspn(line + 10, " ");
        if (words > line + 10 && *words) detail(&now, words);
        if (words > line + 10 || !*words) continue;
        end(&now);
        if (strstr(words, " SUMMARY: "))
            all->ended |= strncmp(words, "LEAK", 4) != 0;
        else if (is_of_kernel(words))
            begin_report(&now, words);
    }
    end(&now);
}
