/* Prints the record on a terminal, in at most 80 columns. Prints each figure of the simulator next to the GPU's figure,
 * with the reason why they may differ. */
#include "hardware/hardware.h"
#include "report/page.h"
#include <math.h>
#include <string.h>

/* ---- figures -------------------------------------------------------------------------------- */
/* Counts of the simulator and of ncu, from which figures are computed. A missing figure is NAN. */
struct figures {
    const json_t *ours, *simulated, *chip;
};
static double member(const json_t *o, const char *key) {
    const json_t *v = json_object_get(o, key);
    return v ? json_number_value(v) : NAN;
}
/* Adds up two or three members of o. Returns NAN if the first is missing. The others count as 0 if they are missing. */
static double sum(const json_t *o, const char *a, const char *b, const char *c) {
    const double x = member(o, a), y = member(o, b), z = c ? member(o, c) : 0;
    return isnan(x) ? x : x + (isnan(y) ? 0 : y) + (isnan(z) ? 0 : z);
}
static double our_conflicts(const struct figures *f) {
    return member(f->ours, "shared_wavefronts") - member(f->ours, "shared_ideal_wavefronts");
}
static double our_lanes(const struct figures *f) { return 100 * member(f->ours, "simd_efficiency"); }
static double our_splits(const struct figures *f) { return member(f->simulated, "splits"); }
static double chip_lanes(const struct figures *f) {
    return 100 * member(f->chip, "lane_instructions") / (32 * member(f->chip, "warp_instructions"));
}
static double chip_requests(const struct figures *f) {
    return sum(f->chip, "load_requests", "store_requests", "atomic_requests");
}
static double chip_sectors(const struct figures *f) {
    return sum(f->chip, "load_sectors", "store_sectors", "atomic_sectors");
}
static double chip_uniform(const struct figures *f) {
    const double all = member(f->chip, "branches");
    return all > 0 ? 100 * (1 - member(f->chip, "divergent_branches") / all) : all == 0 ? 100 : NAN;
}

static const char same_accesses[] = "The assembler keeps the memory accesses of the PTX.";
static const char other_accesses[] = "The assembler merged, repeated or removed accesses, or their number depends on "
                                     "the order in which blocks and warps run.";
static const struct {
    const char *name, *ours, *chip; /* members of both sides, unless a function computes the figure */
    double (*our_figure)(const struct figures *), (*chip_figure)(const struct figures *);
    bool percent;
    const char *equal, *differs; /* explanations for equal and for different figures */
} rows[] = {
    {"warp-instructions", "warp_instructions", "warp_instructions", NULL, NULL, false,
     "The figures agree by coincidence: the left one counts PTX, the right one machine code.",
     "The left figure counts PTX, the right one machine code: the assembler unrolls loops, folds address arithmetic, "
     "and predicates short branches."},
    {"active lanes in them", NULL, NULL, our_lanes, chip_lanes, true,
     "The share of active lanes is the same in the PTX and in the machine code.",
     "The shares refer to different code. A branch in PTX may be predicated in machine code; lanes whose predicate is "
     "false count as inactive on both sides."},
    {"accesses to global memory", "global_requests", NULL, NULL, chip_requests, false, same_accesses, other_accesses},
    {"their sectors", "global_sectors", NULL, NULL, chip_sectors, false,
     "Both sides count the 32-byte sectors touched, cached or not.", other_accesses},
    {"accesses to shared memory", "shared_requests", "shared_requests", NULL, NULL, false, same_accesses,
     other_accesses},
    {"their wavefronts", "shared_wavefronts", "shared_wavefronts", NULL, NULL, false,
     "A wavefront transfers at most one word from each of the 32 banks.",
     "The simulator counts one word per bank and wavefront. For wide accesses and atomics, the GPU may need a "
     "different "
     "number of wavefronts."},
    {"  lost to bank conflicts", NULL, "shared_conflicts", our_conflicts, NULL, false, "", "As above."},
    {"divergent branches", NULL, "divergent_branches", our_splits, NULL, false, "The assembler kept these branches.",
     "The assembler predicates short branches. A profiler does not count predicated instructions as branches, although "
     "their lanes are just as inactive."},
    {"branch efficiency", NULL, NULL, NULL, chip_uniform, true, "",
     "This is the share of uniform branches in machine code."},
    {"occupancy", NULL, "occupancy_percent", NULL, NULL, true, "",
     "Achieved occupancy is the number of resident warps divided by an SM's maximum. The simulator does not "
     "measure it."},
};
static void cell(const struct page *p, double value, bool percent) {
    if (isnan(value))
        fprintf(p->out, " %12s", "-");
    else
        fprintf(p->out, percent ? " %11.0f%%" : " %12.0f", value);
}
static void figures(const struct page *p, const struct figures *f) {
    fprintf(p->out, "\n  %-28s %12s %12s\n", "", "simulator", "ncu");
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const double ours = rows[k].our_figure ? rows[k].our_figure(f)
                            : rows[k].ours     ? member(f->ours, rows[k].ours)
                                               : NAN;
        const double chip = rows[k].chip_figure ? rows[k].chip_figure(f)
                            : rows[k].chip      ? member(f->chip, rows[k].chip)
                                                : NAN;
        const bool equal = rows[k].percent ? fabs(ours - chip) < 0.5 : ours == chip;
        fprintf(p->out, "  %-28s", rows[k].name);
        cell(p, ours, rows[k].percent), cell(p, chip, rows[k].percent);
        fprintf(p->out, "%s\n", equal ? "   equal" : "");
        if (isnan(chip))
            page_wrapped(p, 6, "This version of ncu, or this GPU, lacks the counter.");
        else
            page_wrapped(p, 6, equal ? rows[k].equal : rows[k].differs);
    }
}
/* Prints how many tree steps of the observed block diverge. Profilers have no such metric. */
static void steps(const struct page *p, const json_t *simulated) {
    size_t k, diverge = 0, tree = 0;
    json_t *s;
    char text[200];
    json_array_foreach(json_object_get(simulated, "steps"), k, s) {
        tree += !strcmp(page_string(s, "kind"), "tree");
        diverge += !strcmp(page_string(s, "kind"), "tree") && json_is_true(json_object_get(s, "divergent"));
    }
    snprintf(text, sizeof text, "%zu of %zu", diverge, tree);
    fprintf(p->out, "  %-28s %12s %12s\n", "divergent tree steps", text, "-");
    page_wrapped(p, 6, "The figure is for block 0. Profilers do not distinguish steps, and sum over the whole launch.");
}

/* ---- findings ------------------------------------------------------------------------------- */
static const char *const scopes[TOOLS] = {
    [TOOL_RESULT] = "The GPU runs without a tool, and each buffer is compared bit by bit with the simulator's.",
    [TOOL_MEMCHECK] =
        "It detects addresses that are out of bounds or misaligned, but neither uninitialized memory nor races.",
    [TOOL_RACECHECK] = "It detects races in shared memory, but none in global memory.",
    [TOOL_SYNCCHECK] = "It detects barriers that some threads never reach, and masks whose lanes do not all arrive.",
    [TOOL_INITCHECK] =
        "It detects reads of uninitialized global memory, but not of uninitialized shared memory or variables.",
};
static void finding_line(const struct page *p, const char *title, const char *file, long long line, long long other,
                         long long count) {
    char text[400], where[120] = "";
    if (line) snprintf(where, sizeof where, ", %.80s:%lld", file, line);
    if (other && other != line) snprintf(where + strlen(where), sizeof where - strlen(where), " and %lld", other);
    snprintf(text, sizeof text, "%.200s%s", title, where);
    if (count > 1) snprintf(text + strlen(text), sizeof text - strlen(text), " (%lld times)", count);
    page_wrapped(p, 6, text);
}
static void our_findings(const struct page *p, const json_t *simulated) {
    const json_t *all = json_object_get(simulated, "findings");
    size_t k;
    json_t *f;
    const char *message = page_string(simulated, "message");
    fprintf(p->out, "  simulator:%s%s\n", json_array_size(all) ? "" : " ",
            json_array_size(all) ? ""
            : *message           ? message
                                 : "nothing");
    json_array_foreach(all, k, f) {
        const json_t *at = json_object_get(f, "at"), *other = json_object_get(f, "other");
        finding_line(p, page_string(f, "title"), page_string(at, "file"), page_integer(at, "line"),
                     page_integer(other, "line"), page_integer(f, "count"));
    }
}
/* Prints a tool's findings, or why the tool did not run. `before` is the message of the previous tool, or "". */
static void tool_findings(const struct page *p, const json_t *tool, const char *before) {
    const json_t *all = json_object_get(tool, "findings");
    const char *name = page_string(tool, "tool"), *message = page_string(tool, "message");
    size_t k;
    json_t *f;
    if (*message && !strcmp(message, before)) {
        fprintf(p->out, "  %s: the same\n", name);
        return;
    }
    fprintf(p->out, "  %s:%s\n", name, *message || json_array_size(all) ? "" : " nothing");
    page_wrapped(p, 6, message);
    json_array_foreach(all, k, f)
        finding_line(p, page_string(f, "title"), page_string(f, "file"), page_integer(f, "line"),
                     page_integer(f, "other"), page_integer(f, "count"));
    const enum hardware_tool which = tool_of(tool);
    if (!*message && which < TOOLS && scopes[which]) page_wrapped(p, 6, scopes[which]);
}

/* ---- the page ------------------------------------------------------------------------------- */
static void shape(const struct page *p, const json_t *record, const char *key) {
    const json_t *d = json_object_get(record, key);
    fprintf(p->out, ", %s %lld", key, (long long)json_integer_value(json_array_get(d, 0)));
    for (size_t k = 1; k < 3; k++)
        if (json_integer_value(json_array_get(d, 1)) > 1 || json_integer_value(json_array_get(d, 2)) > 1)
            fprintf(p->out, "x%lld", (long long)json_integer_value(json_array_get(d, k)));
}
static void page_head(const struct page *p, const json_t *record) {
    size_t k;
    json_t *tool;
    const char *last = "";
    fprintf(p->out, "%s%s: %s%s", page_begin(p, BOLD), page_string(record, "file"), page_string(record, "kernel"),
            page_end(p));
    shape(p, record, "grid"), shape(p, record, "block");
    fprintf(p->out, "\n%s%s", page_string(record, "what"), *page_string(record, "what") ? "\n" : "");
    if (*page_string(record, "gpu"))
        fprintf(p->out, "%s, compute capability %s\n", page_string(record, "gpu"),
                page_string(record, "compute_capability"));
    json_array_foreach(json_object_get(record, "tools"), k, tool) {
        const char *name = tool_of(tool) == TOOL_NCU ? "ncu" : "compute-sanitizer";
        if (*page_string(tool, "version") && strcmp(name, last))
            fprintf(p->out, "%s%s %s", *last ? ", " : "", name, page_string(tool, "version")), last = name;
    }
    if (*last) fputc('\n', p->out);
}
bool hardware_page(const json_t *original, FILE *out, bool color) {
    const struct page p = {out, color, TERMS_ALL};
    json_t *record = page_safe_copy(original), *tool;
    const json_t *simulated = json_object_get(record, "simulator"), *tools = json_object_get(record, "tools");
    const char *before = "";
    bool sanitizer = false;
    size_t k;
    page_head(&p, record);
    json_array_foreach(tools, k, tool) {
        const struct figures f = {json_object_get(simulated, "counts"), simulated, json_object_get(tool, "counters")};
        if (tool_of(tool) != TOOL_NCU) sanitizer = true;
        if (f.chip && f.ours) figures(&p, &f), steps(&p, simulated);
        if (!f.chip && tool_of(tool) == TOOL_NCU)
            fputs("\n  ncu:\n", out), page_wrapped(&p, 6, page_string(tool, "message"));
    }
    if (sanitizer || json_array_size(json_object_get(simulated, "findings"))) {
        fputc('\n', out);
        our_findings(&p, simulated);
    }
    json_array_foreach(tools, k, tool) {
        if (tool_of(tool) == TOOL_NCU) continue;
        tool_findings(&p, tool, before);
        before = page_string(tool, "message");
    }
    json_decref(record);
    return fflush(out) == 0;
}
