/* Parses the output of `ncu --csv --page raw`. Lines that begin with "==" are messages of ncu. The table follows in
 * CSV: a line of column names, a line of units, and a line for each kernel. Numbers contain thousands separators, as
 * in "128,256". */
#include "hardware/hardware.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The metrics that ncu reports for each counter. A counter with several metrics is their sum. */
static const struct {
    enum counter counter;
    const char *metric;
} metrics[] = {
    {COUNTER_INSTRUCTIONS, "smsp__inst_executed.sum"},
    {COUNTER_LANES, "smsp__thread_inst_executed_pred_on.sum"},
    {COUNTER_LOAD_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"},
    {COUNTER_STORE_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum"},
    {COUNTER_ATOMIC_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum"},
    {COUNTER_ATOMIC_REQUESTS, "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum"},
    {COUNTER_LOAD_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"},
    {COUNTER_STORE_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"},
    {COUNTER_ATOMIC_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum"},
    {COUNTER_ATOMIC_SECTORS, "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum"},
    {COUNTER_SHARED_REQUESTS, "smsp__sass_inst_executed_op_shared.sum"},
    {COUNTER_SHARED_WAVEFRONTS, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"},
    {COUNTER_SHARED_WAVEFRONTS, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum"},
    {COUNTER_SHARED_WAVEFRONTS, "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum"},
    {COUNTER_SHARED_CONFLICTS, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum"},
    {COUNTER_SHARED_CONFLICTS, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"},
    {COUNTER_SHARED_CONFLICTS, "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum"},
    {COUNTER_BRANCHES, "smsp__sass_branch_targets.sum"},
    {COUNTER_DIVERGENT_BRANCHES, "smsp__sass_branch_targets_threads_divergent.sum"},
    {COUNTER_OCCUPANCY_PERCENT, "sm__warps_active.avg.pct_of_peak_sustained_active"},
};
enum { METRICS = sizeof metrics / sizeof *metrics, MAX_FIELDS = 4096, MAX_FIELD = 200 };

const char *ncu_metrics(void) {
    static char all[METRICS * 64];
    size_t used = 0;
    for (unsigned k = 0; k < METRICS && !(k == 0 && all[0]); k++)
        used += (size_t)snprintf(all + used, sizeof all - used, "%s%s", k ? "," : "", metrics[k].metric);
    return all;
}

/* ---- CSV ------------------------------------------------------------------------------------ */
/* A line of CSV. next_field() reads a field, without its quotes and truncated to MAX_FIELD - 1 bytes, and skips the
 * comma or line break after it. After the last field, it returns false. The end of the text closes an open quote. */
struct line {
    const char *at;
    bool over;
};
static bool next_field(struct line *l, char field[MAX_FIELD]) {
    const char *s = l->at;
    size_t n = 0;
    bool quoted = false;
    field[0] = 0;
    if (l->over) return false;
    for (; *s && (quoted || (*s != ',' && *s != '\n')); s++) {
        if (*s == '"' && quoted && s[1] == '"')
            s++;
        else if (*s == '"') {
            quoted = !quoted;
            continue;
        }
        if (*s != '\r' && n + 1 < MAX_FIELD) field[n++] = *s;
    }
    field[n] = 0;
    l->over = *s != ',';
    l->at = *s ? s + 1 : s;
    return true;
}
static bool read_with_commas(const char *text, double *value) {
    char digits[MAX_FIELD], *end;
    size_t n = 0;
    for (; *text; text++)
        if (*text != ',') digits[n++] = *text;
    digits[n] = 0;
    *value = strtod(digits, &end);
    return end != digits && !*end && *value >= 0 && *value < 1e18;
}

/* ---- the table ------------------------------------------------------------------------------ */
struct columns {
    int16_t metric[MAX_FIELDS]; /* index in metrics[] of each column, or -1 */
    int16_t gpu, compute_capability;
    unsigned count;
};
static const char *header(const char *text, struct columns *c) {
    char field[MAX_FIELD];
    struct line l = {.at = text};
    *c = (struct columns){.gpu = -1, .compute_capability = -1};
    while (next_field(&l, field)) {
        if (c->count == MAX_FIELDS) break;
        c->metric[c->count] = -1;
        for (unsigned k = 0; k < METRICS; k++)
            if (!strcmp(field, metrics[k].metric)) c->metric[c->count] = (int16_t)k;
        if (!strcmp(field, "device__attribute_display_name")) c->gpu = (int16_t)c->count;
        if (!strcmp(field, "CC")) c->compute_capability = (int16_t)c->count;
        c->count++;
    }
    return l.at;
}
/* Reads the values of a kernel. Returns false if the line has more or fewer fields than the table has columns. */
static bool kernel_row(struct line *l, const struct columns *c, struct counters *out) {
    char field[MAX_FIELD];
    unsigned n = 0;
    double value;
    for (; next_field(l, field); n++) {
        if (n >= c->count) continue;
        if (n == (unsigned)c->gpu) snprintf(out->gpu, sizeof out->gpu, "%.63s", field);
        if (n == (unsigned)c->compute_capability)
            snprintf(out->compute_capability, sizeof out->compute_capability, "%.15s", field);
        if (c->metric[n] < 0 || !read_with_commas(field, &value)) continue;
        out->value[metrics[c->metric[n]].counter] += value;
        out->known[metrics[c->metric[n]].counter] = true;
    }
    return n == c->count;
}
static const char *next_line(const char *s) {
    const char *end = strchr(s, '\n');
    return end ? end + 1 : s + strlen(s);
}
bool ncu_parse(const char *text, struct counters *c, char *message, size_t size) {
    struct columns *columns = malloc(sizeof *columns);
    struct counters rest;
    memset(c, 0, sizeof *c);
    snprintf(message, size, "ncu printed no table");
    if (!columns) return snprintf(message, size, "out of memory"), false;
    const char *s = text;
    while (*s && strncmp(s, "\"ID\",", 5)) s = next_line(s);
    bool whole = true;
    if (*s) {
        snprintf(message, size, "ncu profiled no kernel");
        s = header(s, columns);
        while (*s && whole) {
            struct line l = {.at = s};
            /* a kernel's line begins with its number; the line of units and ncu's messages do not */
            const bool kernel = s[0] == '"' && s[1] >= '0' && s[1] <= '9';
            if (kernel) whole = kernel_row(&l, columns, c->kernels++ ? &rest : c);
            s = kernel ? l.at : next_line(s);
        }
    }
    if (!whole) snprintf(message, size, "ncu's table is truncated");
    free(columns);
    return c->kernels && whole;
}
