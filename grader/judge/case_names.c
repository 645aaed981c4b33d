/* Prints and parses the names of cases, which messages about failures contain and --case accepts. See judge.h. */
#include "judge/case_large.h"
#include "judge/special.h"
#include <stdio.h>
#include <string.h>

enum {
    MAX_WHOLE_GRID = 1 << 21, /* maximum number of blocks if all of them run */
    MAX_GRID = 1 << 24,       /* maximum number of blocks if a sample of them runs */
    MAX_LAUNCHES = 3990       /* a plan has room for the arguments of this many launches */
};

const char *case_label(const struct lab_kernel *k) { return k->label ? k->label : k->name; }
bool case_kernel_takes(const struct lab *lab, const struct lab_kernel *kernel, struct variant v) {
    const uint32_t takes = lab->variants & (kernel->variants ? kernel->variants : UINT32_MAX);
    return takes >> variant_index(v) & 1 && (variant_commutes(v) || variant_is_own(v) || kernel->ordered);
}
char *case_name(const struct grade_case *c, char *out, size_t size) {
    char grid[24] = "", spare[24] = "", cluster[24] = "", launches[24] = "", wrap[24] = "", offset[24] = "",
         special[24] = "";
    if (c->kernel->grid_stride) snprintf(grid, sizeof grid, "/grid=%u", c->grid);
    if (c->spare) snprintf(spare, sizeof spare, "/spare=%u", c->spare);
    if (c->kernel->cluster && c->cluster) snprintf(cluster, sizeof cluster, "/cluster=%u", case_cluster(c, c->grid));
    if (c->launches) snprintf(launches, sizeof launches, "/launches=%u", c->launches);
    if (c->wrap) snprintf(wrap, sizeof wrap, "/wrap=%u", c->wrap);
    if (c->offset) snprintf(offset, sizeof offset, "/offset=%u", c->offset);
    if (c->special) snprintf(special, sizeof special, "/special=%u", c->special);
    snprintf(out, size, "%s/%s/n=%u/block=%u%s%s%s%s%s%s%s%s", case_label(c->kernel), variant_name(c->variant), c->n,
             c->block, grid, spare, cluster, launches, wrap, offset, special,
             data_kinds[c->data].word ? data_kinds[c->data].word : "");
    return out;
}
bool case_is_large(const struct grade_case *c) { return c->n > 1 << 16 || c->grid > 1 << 12; }
/* Returns whether the case can run and `text` is its name. sscanf() would also accept other forms, such as "n=+1". */
static bool is_supported(const struct grade_case *c, const char *text) {
    char name[160];
    if (case_repeats(c) && data_kinds[c->data].bounded) return false; /* the bound depends on every element */
    if (case_is_sampled(c) && !case_may_be_sampled(c)) return false;
    return !strcmp(case_name(c, name, sizeof name), text);
}
bool case_parse(const struct lab *lab, const char *text, struct grade_case *c) {
    const char *slash = strchr(text, '/'), *second = slash ? strchr(slash + 1, '/') : NULL;
    int end = 0, more = 0;
    *c = (struct grade_case){0};
    if (!second || !variant_find(slash + 1, (size_t)(second - slash - 1), &c->variant)) return false;
    for (unsigned k = 0; k < lab->kernel_count; k++) {
        const char *label = case_label(&lab->kernels[k]);
        if (strlen(label) == (size_t)(slash - text) && !strncmp(label, text, strlen(label)))
            c->kernel = &lab->kernels[k];
    }
    if (!c->kernel || !case_kernel_takes(lab, c->kernel, c->variant)) return false;
    unsigned long long n; /* 64 bits wide, because a number of ten digits may exceed 32 bits */
    if (sscanf(second, "/n=%10llu/block=%4u%n", &n, &c->block, &end) < 2 || n > CASE_MAX_N) return false;
    c->n = (uint32_t)n;
    if (c->block < 32 || c->block > 1024 || (c->block & (c->block - 1))) return false;
    if (c->kernel->only_block && c->block != c->kernel->only_block) return false;
    if (c->kernel->finish == FINISH_LEVELS && !c->n) return false;
    c->some_levels = true;
    const char *rest = second + end;
    if (c->kernel->grid_stride) {
        if (sscanf(rest, "/grid=%8u%n", &c->grid, &more) < 1 || !c->grid) return false;
        if (c->grid > (uint32_t)(case_is_sampled(c) ? MAX_GRID : MAX_WHOLE_GRID)) return false;
        if ((uint64_t)c->grid * c->block > CASE_MAX_THREADS) return false;
        rest += more;
    }
    if (case_has_segments(c->kernel) && sscanf(rest, "/spare=%4u%n", &c->spare, &more) == 1) {
        if (!c->spare) return false;
        rest += more;
    }
    if (c->kernel->cluster && sscanf(rest, "/cluster=%2u%n", &c->cluster, &more) == 1) {
        if (!c->cluster || c->cluster > c->kernel->cluster || c->grid % c->cluster) return false;
        rest += more;
    }
    if (c->kernel->finish != FINISH_ARRAYS && sscanf(rest, "/launches=%4u%n", &c->launches, &more) == 1) {
        if (!c->launches || c->launches > MAX_LAUNCHES) return false;
        rest += more;
    }
    if (c->launches && sscanf(rest, "/wrap=%9u%n", &c->wrap, &more) == 1) {
        if (!c->wrap) return false;
        rest += more;
    }
    if (c->kernel->any_start && sscanf(rest, "/offset=%2u%n", &c->offset, &more) == 1) {
        if (!c->offset || c->offset > MAX_OFFSET) return false;
        rest += more;
    }
    if (sscanf(rest, "/special=%4u%n", &c->special, &more) == 1) {
        if (!c->special || c->special > SPECIAL_MAX || c->n > SPECIAL_MAX_N) return false;
        rest += more;
    }
    for (c->data = 0; c->data < DATA_KINDS; c->data++)
        if (data_kinds[c->data].word && !strcmp(rest, data_kinds[c->data].word)) return is_supported(c, text);
    return false;
}
