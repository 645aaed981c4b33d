/* Runs small PTX kernels for tests of instructions. A kernel `k(out, in)` is written as text, parsed, decoded for an
 * instruction set of the host, and launched. The results are the contents of `out`, and the kernel's faults, output
 * and figures.
 *
 * In a program, the instructions to test follow TESTED (a .loc). Their rows, types and words are recorded in memory
 * that Check's child processes share. The last test reports those that no test has covered. */
#ifndef TESTS_OPS_RUN_H
#define TESTS_OPS_RUN_H

#include "ptx/parser.h"
#include "tests/live.h"
#include "tests/suite.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char *const instruction_sets[] = {"baseline", "avx2", "avx512"};
enum { SETS = sizeof instruction_sets / sizeof *instruction_sets };

/* ---- text -------------------------------------------------------------------------------------------------------- */
struct text {
    char data[1 << 18];
    size_t length;
};
static inline void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline void text_add(struct text *t, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    t->length += (size_t)vsnprintf(t->data + t->length, sizeof t->data - t->length, format, arguments);
    va_end(arguments);
    if (t->length >= sizeof t->data) ck_abort_msg("a kernel of more than %zu characters", sizeof t->data);
}
#define HEADER ".version 8.6\n.target sm_90\n.address_size 64\n.file 1 \"tested\"\n"
#define TESTED ".loc 1 2 0\n"
#define UNTESTED ".loc 1 1 0\n"
enum { TESTED_LINE = 2 };

/* Returns whether instructions of the row produce or use a carry. */
static inline bool row_carries(enum ptx_op op) {
    return ptx_ops[op].allow & PTX_ALLOW(CARRY) || strstr(ptx_ops[op].mnemonic, ".cc");
}

/* ---- record of tested rows --------------------------------------------------------------------- */
struct coverage {
    uint8_t type[PTX_OP_COUNT][PTX_TYPE_COUNT], type2[PTX_OP_COUNT][PTX_TYPE_COUNT], word[PTX_OP_COUNT][PTX_MOD_COUNT],
        row[PTX_OP_COUNT];
};
static struct coverage *coverage;

/* Must be called before the tests fork. */
static inline void coverage_begin(void) {
    coverage = mmap(NULL, sizeof *coverage, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (coverage == MAP_FAILED) abort();
}
static inline void coverage_add(const struct ptx_module *m) {
    for (unsigned f = 0; coverage && f < m->function_count; f++)
        for (unsigned k = 0; k < m->functions[f]->code_count; k++) {
            const struct ptx_insn *i = &m->functions[f]->code[k];
            if (i->loc.line != TESTED_LINE) continue;
            coverage->row[i->op] = coverage->type[i->op][i->type] = coverage->type2[i->op][i->type2] = 1;
            for (int group = 0; group < PTX_CLASS_COUNT; group++) coverage->word[i->op][i->mod[group]] = 1;
        }
}
/* Returns whether the row accepts the word with any of its types. */
static inline bool takes_word(const struct ptx_op_row *row, enum ptx_mod m) {
    const enum ptx_op op = (enum ptx_op)(row - ptx_ops);
    const char *text = ptx_mod_text(m);
    unsigned group;
    if (ptx_mod_named(op, text, strlen(text), &group) != m) return false;
    for (int t = 0; t < PTX_TYPE_COUNT; t++)
        if ((t ? (row->types | row->types2) >> t & 1 : !row->types) &&
            ptx_mod_allowed(op, (enum ptx_type)t, (enum ptx_type)t, group, m))
            return true;
    return false;
}
/* The programs that test a row with each of its types and words. */
enum tester {
    TESTED_BY_LANES,
    TESTED_BY_CONVERT,
    TESTED_BY_MEMORY,
    TESTED_BY_TEXTURES,
    TESTED_BY_SURFACES,
    TESTED_BY_VIDEO,
    TESTED_BY_OPS
};
static inline enum tester tester_of(enum ptx_op op) {
    const struct ptx_op_row *row = &ptx_ops[op];
    const bool destination = *row->operands && strchr("dwpvD", *row->operands);
    if (ptx_accesses_memory(&row->traits)) return TESTED_BY_MEMORY;
    if (row->traits.memory == PTX_MEMORY_TEXTURE) return row->types2 ? TESTED_BY_TEXTURES : TESTED_BY_SURFACES;
    if (strchr(row->operands, 'e')) return TESTED_BY_VIDEO;
    if (!strncmp(row->mnemonic, "createpolicy", 12)) return TESTED_BY_OPS;   /* the bits of a policy are opaque */
    if (op == PTX_OP_alloca || op == PTX_OP_stacksave) return TESTED_BY_OPS; /* the addresses are opaque */
    if (op == PTX_OP_mov || op == PTX_OP_cvt || row->traits.names_space) return TESTED_BY_CONVERT;
    return destination && !row->traits.crosses ? TESTED_BY_LANES : TESTED_BY_OPS;
}
static inline void coverage_check_row(enum ptx_op op) {
    const struct ptx_op_row *row = &ptx_ops[op];
    ck_assert_msg(coverage->row[op], "row %s (%s) of ops.def has no test", row->id, row->mnemonic);
    for (int t = 1; t < PTX_TYPE_COUNT; t++) {
        if (row->types >> t & 1 && !coverage->type[op][t])
            ck_abort_msg("row %s of ops.def has no test of .%s", row->id, ptx_type_name((enum ptx_type)t));
        if (row->types2 >> t & 1 && !coverage->type2[op][t])
            ck_abort_msg("row %s of ops.def has no test of .%s as second type", row->id,
                         ptx_type_name((enum ptx_type)t));
    }
    for (int m = 1; m < PTX_MOD_COUNT; m++)
        if (!coverage->word[op][m] && takes_word(row, (enum ptx_mod)m))
            ck_abort_msg("row %s of ops.def has no test with .%s", row->id, ptx_mod_text((enum ptx_mod)m));
}
static inline void coverage_check(enum tester tester) {
    for (int op = 0; op < PTX_OP_COUNT; op++)
        if (tester_of((enum ptx_op)op) == tester) coverage_check_row((enum ptx_op)op);
}

/* ---- a run ------------------------------------------------------------------------------------------------------- */
enum { MAX_FAULTS = 64, MAX_TEXT = 4096 };
struct seen_fault {
    enum sim_fault_kind kind;
    bool fatal;
    uint32_t block, warp, pc, lanes, other_pc, other_lanes;
    char object[32], text[64];
    uint64_t address;
    int64_t offset;
    unsigned lane, bytes;
    enum sim_access_kind access;
};
struct run {
    /* in */
    const char *text, *isa; /* isa: instruction set; NULL for the best one */
    uint32_t grid[3], block[3], cluster[3], dynamic_shared;
    const void *in;
    void *out; /* contents of `out`: before the launch and after it */
    size_t in_bytes, out_bytes;
    bool in_read_only;
    struct sim_options options;
    struct sim_listener listener; /* an additional listener; none if its probe is NULL */
    /* out */
    enum sim_status status;
    struct sim_stats stats;
    struct sim_error error;
    struct seen_fault fault[MAX_FAULTS];
    unsigned faults;
    char printed[MAX_TEXT];
    size_t printed_length;
    uint64_t in_address, out_address;
};

static inline void run_fault(void *self, const struct sim_fault *f) {
    struct run *r = self;
    if (r->faults++ >= MAX_FAULTS) return;
    struct seen_fault *s = &r->fault[r->faults - 1];
    *s = (struct seen_fault){
        f->kind, f->fatal, f->where->block, f->where->warp, f->pc,   f->lanes, f->other_pc, f->other_lanes,
        {0},     {0},      f->address,      f->offset,      f->lane, f->bytes, f->access};
    if (f->object) snprintf(s->object, sizeof s->object, "%s", f->object->name);
    if (f->text) snprintf(s->text, sizeof s->text, "%s", f->text);
}
static inline void run_print(void *context, const char *text, size_t length) {
    struct run *r = context;
    if (length > sizeof r->printed - 1 - r->printed_length) length = sizeof r->printed - 1 - r->printed_length;
    memcpy(r->printed + r->printed_length, text, length);
    r->printed_length += length;
}
static inline struct ptx_module *parsed(const char *text) {
    struct ptx_error error;
    struct ptx_module *m = ptx_parse(text, strlen(text), "test", &error);
    if (!m) ck_abort_msg("PTX line %u: %s in\n%.3000s", error.text_line, error.message, text);
    coverage_add(m);
    return m;
}
/* Launches kernel k of the text. Stores the results in *r. */
static inline void run(struct run *r) {
    static const struct sim_probe faults = {.name = "faults", .fault = run_fault};
    struct ptx_module *m = parsed(r->text);
    struct sim_program *p = sim_program_new_isa(m, r->isa, &r->error);
    if (!p) ck_abort_msg("%s in\n%.3000s", r->error.message, r->text);
    if (!r->options.print) r->options.print = run_print, r->options.print_context = r;
    struct sim *s = sim_new(p, &r->options);
    if (!s) ck_abort_msg("no memory for a simulator");
    r->faults = 0, r->printed_length = 0;
    r->out_address = sim_alloc(s, "out", r->out_bytes, SIM_INITIALIZED);
    r->in_address = sim_alloc(s, "in", r->in_bytes, SIM_INITIALIZED | (r->in_read_only ? SIM_READ_ONLY : 0));
    if (!sim_write(s, r->out_address, r->out, r->out_bytes) || !sim_write(s, r->in_address, r->in, r->in_bytes))
        ck_abort_msg("the buffers cannot be written");
    const struct sim_listener listeners[] = {{&faults, r}, r->listener};
    const struct sim_launch launch = {
        .kernel = "k",
        .grid = {r->grid[0] ? r->grid[0] : 1, r->grid[1] ? r->grid[1] : 1, r->grid[2] ? r->grid[2] : 1},
        .block = {r->block[0] ? r->block[0] : 32, r->block[1] ? r->block[1] : 1, r->block[2] ? r->block[2] : 1},
        .cluster = {r->cluster[0], r->cluster[1], r->cluster[2]},
        .dynamic_shared = r->dynamic_shared,
        .params = (const void *const[]){&r->out_address, &r->in_address},
        .param_count = 2,
        .listeners = listeners,
        .listener_count = r->listener.probe ? 2 : 1};
    r->status = sim_launch(s, &launch, &r->stats, &r->error);
    if (r->status == SIM_BAD_LAUNCH) ck_abort_msg("%s", r->error.message);
    void *before = malloc(r->out_bytes + 1);
    memcpy(before, r->out, r->out_bytes);
    if (!sim_read(s, r->out_address, r->out, r->out_bytes)) ck_abort_msg("the result cannot be read");
    if (r->status == SIM_DONE && !r->faults && !r->options.products && r->isa && !strcmp(r->isa, instruction_sets[0])) {
        gpu_compare(r->text, &launch, r->in, r->in_bytes, before, r->out, r->out_bytes);
        live_compare(r->text, &launch, r->in, r->in_bytes, before, r->out, r->out_bytes);
    }
    free(before);
    r->printed[r->printed_length] = 0;
    sim_free(s);
    sim_program_free(p);
    ptx_free(m);
}

static inline bool host_has(const char *isa) {
    static const char text[] = HEADER ".visible .entry k() { ret; }\n";
    struct ptx_error parse;
    struct sim_error error;
    struct ptx_module *m = ptx_parse(text, sizeof text - 1, "probe", &parse);
    struct sim_program *p = m ? sim_program_new_isa(m, isa, &error) : NULL;
    sim_program_free(p);
    ptx_free(m);
    return p != NULL;
}
/* Returns whether this program tests the instruction set. With PLAIN=1, it leaves the baseline set to the half of
 * `make test` with sanitizers, unless the host has no other set. */
static inline bool set_is_tested(unsigned set) {
    const bool elsewhere = !set && getenv("PLAIN") && host_has(instruction_sets[1]);
    return !elsewhere && host_has(instruction_sets[set]);
}
/* Adds a loop test for each combination of `count` cases and the available instruction sets. In the test, _i % count
 * is the case, and _i / count the set. */
static inline void add_for_sets(TCase *t, const TTest *test, int count, const char *program) {
    for (int k = 0; k < SETS; k++) {
        if (set_is_tested((unsigned)k))
            tcase_add_loop_test(t, test, k * count, (k + 1) * count);
        else if (!host_has(instruction_sets[k]))
            printf("SKIP %s %s: this host or build has no such handlers\n", program, instruction_sets[k]);
    }
}
static inline int run_suite(const char *name, TCase *t) {
    Suite *suite = suite_create(name);
    tcase_set_timeout(t, 300);
    suite_add_tcase(suite, t);
    return suite_failures(suite) != 0;
}

#endif
