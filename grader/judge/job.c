/* See job.h. */
#include "judge/job.h"
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the members of struct lab_kernel that determine a kernel's launches ------------------------- */
struct kernel_field {
    const char *name;
    size_t offset;
    enum { TEXT, NUMBER, FLAG } kind;
};
#define FIELD(member, kind) {#member, offsetof(struct lab_kernel, member), kind},
static const struct kernel_field fields[] = {
    FIELD(name, TEXT) FIELD(label, TEXT) FIELD(input, TEXT) FIELD(second, TEXT) FIELD(scratch, TEXT) FIELD(output, TEXT)
        FIELD(in_place, FLAG) FIELD(one_block, FLAG) FIELD(elements, NUMBER) FIELD(shared_values, NUMBER)
            FIELD(shared_warp_values, NUMBER) FIELD(ordered, FLAG) FIELD(grid_stride, FLAG) FIELD(cluster, NUMBER)
                FIELD(finish, NUMBER) FIELD(leaves, NUMBER) FIELD(only_block, NUMBER) FIELD(any_start, FLAG)
                    FIELD(serial, FLAG) FIELD(halves, FLAG)};
#undef FIELD
enum { FIELDS = sizeof fields / sizeof *fields };
_Static_assert(sizeof(enum lab_finish) == sizeof(unsigned), "a NUMBER");

static void print_field(FILE *out, const struct kernel_field *f, const struct lab_kernel *k) {
    const void *at = (const char *)k + f->offset;
    const char *text = f->kind == TEXT ? *(const char *const *)at : NULL;
    const unsigned number = f->kind == NUMBER ? *(const unsigned *)at : f->kind == FLAG ? *(const bool *)at : 0;
    if (text) fprintf(out, "%s %s\n", f->name, text);
    if (number) fprintf(out, "%s %u\n", f->name, number);
}
static bool read_field(const char *key, const char *value, struct lab_kernel *k) {
    for (const struct kernel_field *f = fields; f < fields + FIELDS; f++) {
        void *at = (char *)k + f->offset;
        if (strcmp(f->name, key) != 0) continue;
        if (f->kind == TEXT)
            *(const char **)at = value;
        else if (f->kind == NUMBER)
            *(unsigned *)at = (unsigned)strtoul(value, NULL, 10);
        else
            *(bool *)at = *value != '0';
        return true;
    }
    return false;
}

/* ---- complete jobs ------------------------------------------------------------------------------- */
char *job_print(const char *lab, const struct grade_case *c, const char *symbol, const char *ptx) {
    char *text = NULL, name[200], schedule[SIM_SCHEDULE_TEXT], *used = ptx_cut(ptx, symbol);
    size_t size;
    FILE *out = used ? open_memstream(&text, &size) : NULL;
    if (!out) return free(used), NULL;
    fprintf(out, "lab %s\n", lab);
    for (unsigned k = 0; k < FIELDS; k++) print_field(out, &fields[k], c->kernel);
    fprintf(out, "symbol %s\ncase %s\nseed %" PRIu64 "\n", symbol, case_name(c, name, sizeof name), c->seed);
    if (c->schedule.chosen) fprintf(out, "schedule %s\n", sim_schedule_print(&c->schedule, schedule, sizeof schedule));
    fprintf(out, "\n%s", used);
    free(used);
    return fclose(out) ? free(text), NULL : text;
}
/* Reads lines of the form "key value" up to an empty line. Returns NULL on success, otherwise a description of the
 * error. */
static const char *read_lines(struct job *job, char *line, const char **name) {
    for (char *end; *line != '\n'; line = end + 1) {
        char *value = strchr(line, ' ');
        end = strchr(line, '\n');
        if (!end || !value || value > end) return "a line has no value";
        *value++ = 0, *end = 0;
        if (!strcmp(line, "lab"))
            job->lab.id = value;
        else if (!strcmp(line, "symbol"))
            job->symbol = value;
        else if (!strcmp(line, "case"))
            *name = value;
        else if (!strcmp(line, "seed"))
            job->c.seed = strtoull(value, NULL, 10);
        else if (!strcmp(line, "schedule")) {
            if (!sim_schedule_parse(&job->c.schedule, value)) return "an unknown schedule";
        } else if (!read_field(line, value, &job->kernel))
            return "an unknown line";
    }
    job->ptx = line + 1;
    return NULL;
}
bool job_read(struct job *job, const char *text, const char **why) {
    const char *name = NULL;
    *job = (struct job){.lab = {.variants = UINT32_MAX, .kernel_count = 1}};
    job->lab.kernels = &job->kernel;
    job->text = strdup(text);
    *why = job->text ? read_lines(job, job->text, &name) : "out of memory";
    if (*why) return false;
    *why = !name || !job->symbol || !job->lab.id || !job->kernel.name ? "a line is missing" : NULL;
    if (*why) return false;
    const struct grade_case given = job->c;
    const bool known = case_parse(&job->lab, name, &job->c);
    job->c.seed = given.seed, job->c.schedule = given.schedule;
    *why = !known || job->kernel.finish == FINISH_ARRAYS || job->c.special ? "an unknown case" : NULL;
    return !*why;
}
void job_free(struct job *job) {
    free(job->text);
    job->text = NULL;
}
