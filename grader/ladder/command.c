/* See ladder.h. Compiles the kernels, runs all rows, and prints the record. */
#include "base/random.h"
#include "judge/judge.h"
#include "ladder/ladder.h"
#include "record/status.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LADDER_RECORD "grader/figures/ladder.json"
enum { DEFAULT_N = 1 << 20, DEFAULT_CPU_N = 1 << 26 };

static const struct ladder_row ladder_rows[] = {
#define HOW(...)                                                                                                       \
    { __VA_ARGS__ }
#define CPU(id, name, function, in_order) {id, name, {.ordered = in_order}, .on_cpu = ladder_##function},
#define GPU(id, name, kernel, threads, waves, ...)                                                                     \
    {id, name, {#kernel, .input = "in", .output = "out", __VA_ARGS__}, threads, waves, {0}, NULL},
#define NEW(id, name, kernel, threads, waves, how, ...)                                                                \
    {id, name, {#kernel, .input = "in", .output = "out", __VA_ARGS__}, threads, waves, how, NULL},
#include "ladder/rows.def"
};
enum { ROWS = sizeof ladder_rows / sizeof *ladder_rows };

/* Kernel source files, with the compute capability that each needs. */
static const struct {
    const char *file;
    unsigned arch;
} files[] = {{"grader/ladder/kernels.cu", 0}, {"grader/ladder/newer.cu", 80}, {"grader/ladder/newer.cu", 90}};
enum { FILES = sizeof files / sizeof *files };
/* A loaded program: one of `files`, or a solution. */
struct kernels {
    const char *file; /* path in the kit */
    struct compiled text;
    /* `model`: the same program on the simulator; loaded only for --modeled on a device that measures times */
    struct ladder_program program, model;
    char missing[120]; /* why the program could not be loaded, or "" */
};
struct ladder {
    struct ladder_options options;
    const struct ladder_place *place;
    const struct compiler *compiler;
    const struct device *device;
    struct variant v;
    uint32_t n;
    void *data;
    union value exact;
    double bound, magnitudes; /* error bound of a float result; sum of the elements' absolute values, for float sums */
    struct kernels kernels[FILES]; /* kernels[0] is loaded at the start, the others on demand */
    json_t *recorded;              /* the record that a handout contains instead of kernels, or NULL */
};
static _Noreturn void stop(int status, const char *format, const char *a, const char *b) {
    fputs("grade ladder: ", stderr);
    fprintf(stderr, format, a, b);
    fputc('\n', stderr);
    exit(status);
}

/* ---- the input --------------------------------------------------------------------------------------------------- */
/* Returns an error bound for a finite float result of a sum or product, otherwise 0. Adds the elements' absolute values
 * to l->magnitudes for a sum. The result has n roundings: n - 1 operations, and the conversion of the exact result. The
 * bound is a relative error times a magnitude: sum|x| for a sum, |result| for a product. The relative error is Higham's
 * worst case, n u / (1 - n u), where u is the unit roundoff. If n u is too large for this to be useful, it is 8 sqrt(n)
 * u instead, because random rounding errors grow with sqrt(n) (Higham and Mary, "A New Approach to Probabilistic
 * Rounding Error Analysis", 2019). */
static double error_bound(struct ladder *l) {
    const double u = l->v.type == REDUCE_TYPE_F32 ? 0x1p-24 : 0x1p-53, nu = l->n * u;
    const double relative = nu < 0.25 ? nu / (1 - nu) : 8 * sqrt(l->n) * u;
    const double exact = reference_double(l->v, l->exact);
    if (!variant_is_float(l->v) || !isfinite(exact)) return 0;
    if (l->v.op == REDUCE_OP_PRODUCT) return relative * fabs(exact);
    if (l->v.op != REDUCE_OP_SUM) return 0;
    for (uint32_t k = 0; k < l->n; k++) l->magnitudes += fabs(reference_double(l->v, reference_load(l->v, l->data, k)));
    return relative * l->magnitudes;
}
/* Returns the format of the elements that a row reads, or to which it rounds them. */
static enum ladder_format format_of(const struct ladder_row *row) {
    return row->kernel.halves ? LADDER_F16 : row->how.format;
}
/* Returns the error bound of a row, including the error if it rounds its elements first. Halves below 2^-14 have a
 * fixed spacing. */
static double bound_of(const struct ladder *l, const struct ladder_row *row) {
    static const double unit[] = {[LADDER_TF32] = 0x1p-11, [LADDER_F16] = 0x1p-11, [LADDER_BF16] = 0x1p-8};
    const enum ladder_format format = format_of(row);
    const double subnormal = format == LADDER_F16 ? l->n * 0x1p-25 : 0;
    return (1 + unit[format]) * l->bound + unit[format] * l->magnitudes + subnormal;
}
/* Draws an element of a struct type: a map x -> a*x + b with odd a, or a matrix of determinant 1, so that no product
 * loses information. For pairs, element k has a random value and the index k. */
static union value struct_element(struct variant v, uint64_t r, uint32_t k) {
    const uint32_t high = (uint32_t)(r >> 32), low = (uint32_t)r;
    if (variant_size(v) == 8 && v.op >= REDUCE_OP_ARGMIN) return (union value){.word = {low, k}};
    if (v.op >= REDUCE_OP_ARGMIN) return (union value){.word = {low, high, k}};
    return v.op == REDUCE_OP_AFFINE ? (union value){.word = {low | 1, high}}
                                    : (union value){.word = {1 + low * high, low, high, 1}};
}
/* Draws the elements and computes the exact result and its error bound. Floats are between -1 and 1, or close to 1 for
 * a product. Integers have any value, or any odd value for a product. With --near-1000, numbers of all operators are
 * near 1000. */
static void fill_inputs(struct ladder *l) {
    uint64_t state = l->options.seed;
    for (uint32_t k = 0; k < l->n; k++) {
        const uint64_t r = random_next(&state);
        const double unit = (double)(int64_t)r / 9223372036854775808.0;
        const double x = l->options.near ? 1000 + unit : l->v.op == REDUCE_OP_PRODUCT ? 1 + unit / 1024 / 1024 : unit;
        union value e = {.bits = l->v.op == REDUCE_OP_PRODUCT ? r | 1 : r};
        if (l->v.type == REDUCE_TYPE_F32) e.f32 = (float)x;
        if (l->v.type == REDUCE_TYPE_F64) e.f64 = x;
        if (l->options.near && !variant_is_float(l->v)) e.i64 = 1000 + (int64_t)(r & 1);
        if (variant_is_struct(l->v)) e = struct_element(l->v, r, k);
        reference_store(l->v, l->data, k, e);
    }
    l->exact = reference_reduce(l->v, l->data, l->n);
    l->bound = error_bound(l);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */
static bool is_wanted(const struct ladder *l, const struct ladder_row *row) {
    if (l->options.cpu) return row->on_cpu;
    if (l->options.sweep) return !strcmp(row->id, "C3");
    if (!l->options.rows) return true;
    for (const char *s = l->options.rows; *s;) {
        const size_t n = strcspn(s, ",");
        if (n == strlen(row->id) && !strncmp(s, row->id, n)) return true;
        s += n + (s[n] == ',');
    }
    return false;
}
static void check_rows(const struct ladder *l) {
    const bool labs = l->options.solutions;
    char one[16], labs_range[40];
    snprintf(labs_range, sizeof labs_range, "%s to %s", lab_rows[0]->id, lab_rows[lab_row_count - 1]->id);
    for (const char *s = l->options.rows ? l->options.rows : ""; *s;) {
        const size_t n = strcspn(s, ",");
        snprintf(one, sizeof one, "%.*s", (int)(n < 15 ? n : 15), s);
        bool known = labs && lab_find(one);
        for (unsigned k = 0; !labs && k < ROWS; k++) known |= !strcmp(one, ladder_rows[k].id);
        if (!known)
            stop(EXIT_USAGE, "no row `%s`: the rows are %s (docs/ladder.md)", one, labs ? labs_range : "A1 to E8");
        s += n + (s[n] == ',');
    }
}
static void load_kernels(const struct ladder *l, const char *file, unsigned arch, struct variant v, struct kernels *to);
static const struct kernels *kernels_of(struct ladder *l, const struct ladder_row *row) {
    unsigned k = 0;
    while (files[k].arch != row->how.arch) k++;
    if (!l->kernels[k].file && !row->on_cpu && !l->recorded)
        load_kernels(l, files[k].file, files[k].arch, l->v, &l->kernels[k]);
    return &l->kernels[k];
}
/* Runs the row on the device. With --modeled, also runs it on the simulator and adds the counts. */
static void run_kernels(const struct ladder *l, const struct kernels *of, const struct ladder_row *row, uint32_t blocks,
                        struct ladder_result *r) {
    struct ladder_result measured = *r;
    if (of->model.device) {
        ladder_gpu(&of->program, row, l->data, l->n, blocks, &measured);
        if (!measured.message[0]) ladder_gpu(&of->model, row, l->data, l->n, blocks, r);
        if (measured.message[0] || measured.skipped) *r = measured;
        r->total = measured.total, r->measured_us = measured.measured_us;
        return;
    }
    ladder_gpu(&of->program, row, l->data, l->n, blocks, r);
}
static json_t *row_json(const struct ladder *l, const struct kernels *of, const struct ladder_row *row,
                        uint32_t blocks) {
    struct ladder_result r = {.modeled_us = -1, .measured_us = -1};
    /* whether the row must have the same result as the reference */
    const bool in_order = row->kernel.ordered || variant_commutes(l->v);
    if (row->on_cpu == ladder_vectors && !in_order)
        r.skipped = "reorders operands, because it keeps many partial results";
    else if (row->on_cpu)
        ladder_cpu(row, l->v, l->data, l->n, &r);
    else if (of->missing[0])
        r.skipped = of->missing;
    else
        run_kernels(l, of, row, blocks, &r);
    json_t *j = json_pack("{s:s, s:s, s:b, s:b}", "id", row->id, "name", row->name, "cpu", row->on_cpu != NULL,
                          "ordered", row->kernel.ordered);
    if (r.skipped || r.message[0])
        return json_object_set_new(j, r.skipped ? "skipped" : "wrong", json_string(r.skipped ? r.skipped : r.message)),
               j;
    const double total = reference_double(l->v, r.total), exact = reference_double(l->v, l->exact);
    const bool right = reference_equal(l->v, r.total, l->exact) ||
                       (!variant_is_struct(l->v) && fabs(total - exact) <= bound_of(l, row));
    const double us = r.measured_us > 0 ? r.measured_us : r.modeled_us;
    char text[64];
    if (!right && !in_order)
        json_object_set_new(j, "order_lost", json_true());
    else if (!right && variant_is_struct(l->v))
        json_object_set_new(j, "wrong", json_string("operands were reordered, or some operands are missing"));
    else if (!right)
        snprintf(r.message, sizeof r.message, "got %.17g, expected %.17g", total, exact),
            json_object_set_new(j, "wrong", json_string(r.message));
    json_object_set_new(j, "total", json_string(reference_print(l->v, r.total, text, sizeof text)));
    if (format_of(row) >= LADDER_F16) json_object_set_new(j, "bytes_an_element", json_integer(2));
    if (!variant_is_struct(l->v))
        json_object_set_new(
            j, "error", json_real(exact == 0 || total == exact ? fabs(total - exact) : fabs((total - exact) / exact)));
    if (!row->on_cpu) {
        json_object_set_new(j, "launches", json_integer(r.launches));
        json_object_set_new(j, "blocks", json_integer(r.blocks));
    }
    if (r.modeled_us > 0) {
        if (r.steps_seen) {
            json_object_set_new(j, "tree_steps", json_integer(r.tree_steps));
            json_object_set_new(j, "divergent_steps", json_integer(r.divergent_steps));
        }
        json_object_set_new(j, "simd_efficiency", json_real(r.simd_efficiency));
        json_object_set_new(j, "sectors", json_integer((json_int_t)r.sectors));
        json_object_set_new(j, "findings", json_integer(r.findings));
        json_object_set_new(j, "modeled_us", json_real(r.modeled_us));
    }
    if (r.measured_us > 0) json_object_set_new(j, "measured_us", json_real(r.measured_us));
    json_object_set_new(j, "elements_per_second", json_real(l->n / us * 1e6));
    return j;
}
/* Returns a row from a handout's record. */
static json_t *recorded_row(const struct ladder *l, const struct ladder_row *row) {
    size_t k;
    json_t *found;
    json_array_foreach(
        json_object_get(l->recorded, "rows"), k,
        found) if (!strcmp(row->id, json_string_value(json_object_get(found, "id")))) return json_incref(found);
    stop(EXIT_SETUP, "%s: no row %s: unpack the archive again", LADDER_RECORD, row->id);
}
static void show_progress(const struct ladder_row *row) {
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r\033[K%s %s", row->id, row->name);
}
/* Runs every selected row. For a sweep, runs a single row with different numbers of blocks. */
static void add_rows(struct ladder *l, json_t *all) {
    static const double blocks_an_sm[] = {0.25, 0.5, 1, 2, 4, 8, 16, 32, 64};
    for (unsigned k = 0; k < ROWS; k++) {
        const struct ladder_row *row = &ladder_rows[k];
        if (!is_wanted(l, row)) continue;
        show_progress(row);
        if (!l->options.sweep)
            json_array_append_new(all, l->recorded && !row->on_cpu ? recorded_row(l, row)
                                                                   : row_json(l, kernels_of(l, row), row, 0));
        for (unsigned g = 0; l->options.sweep && g < sizeof blocks_an_sm / sizeof *blocks_an_sm; g++)
            json_array_append_new(all,
                                  row_json(l, &l->kernels[0], row, (uint32_t)(blocks_an_sm[g] * l->options.gpu->sms)));
    }
}

/* ---- kernels ----------------------------------------------------------------------------------------------------- */
static bool try_load_on(const struct ladder *l, const struct device *d, struct variant v, const struct kernels *of,
                        struct ladder_program *p, struct device_error *e) {
    *p = (struct ladder_program){.device = d,
                                 .v = v,
                                 .ptx = of->text.ptx[0],
                                 .seed = l->options.seed,
                                 .gpu = l->options.gpu,
                                 .reads = &l->kernels[0].program};
    return d->load(p->ptx, of->text.length[0], of->file, &p->module, e) == DEVICE_OK;
}
static void load_on(const struct ladder *l, const struct device *d, struct variant v, const struct kernels *of,
                    struct ladder_program *p) {
    struct device_error e = {""};
    if (!try_load_on(l, d, v, of, p, &e)) stop(EXIT_SETUP, "%s%s", e.message, "");
}
static void compile_kernels(const struct ladder *l, const struct compiler *compiler, const char *file, struct variant v,
                            struct kernels *to) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", l->place->root, file);
    const struct compile_request r = {.source = path,
                                      .shown = file,
                                      .root = l->place->root,
                                      .cache = l->place->cache,
                                      .variants = 1u << variant_index(v),
                                      .solution = true};
    to->file = file;
    to->text = compile(compiler, &r);
}
/* Returns whether the device runs code for this architecture and the compiler supports it. The simulator runs PTX for
 * any architecture. */
static bool has_arch(const struct ladder *l, unsigned arch) {
    const unsigned own = l->device->arch ? l->device->arch() : 0;
    return !l->device->times || ((!own || own >= arch) && compiler_supported_arch(l->compiler, arch) == arch);
}
/* Compiles and loads a file of kernels. A file for any architecture (`arch` is 0) must load; otherwise the command
 * exits. A file for a newer architecture may fail: then to->missing says why. */
static void load_kernels(const struct ladder *l, const char *file, unsigned arch, struct variant v,
                         struct kernels *to) {
    struct device_error e = {""};
    const struct compiler compiler = compiler_for(l->compiler, l->device->times ? arch : 0);
    if (has_arch(l, arch)) compile_kernels(l, &compiler, file, v, to);
    const bool compiled = to->file && to->text.status == COMPILE_OK;
    if (compiled && try_load_on(l, l->device, v, to, &to->program, &e)) {
        if (l->options.modeled && l->device->times) load_on(l, device_find("sim"), v, to, &to->model);
        return;
    }
    if (!arch) stop(EXIT_SETUP, "%s%s", e.message[0] ? e.message : to->text.log ? to->text.log : file, "");
    to->file = file;
    snprintf(to->missing, sizeof to->missing, "requires compute capability %u.%u and a compiler that supports it",
             arch / 10, arch % 10);
}
static void unload_kernels(struct kernels *k) {
    if (k->program.module) k->program.device->unload(k->program.module);
    if (k->model.module) k->model.device->unload(k->model.module);
    compiled_free(&k->text);
}
static void find_device(struct ladder *l) {
    char message[512];
    struct device_error e = {""};
    const struct ladder_options *o = &l->options;
    l->compiler = compiler_find(o->compiler ? o->compiler : l->place->compiler, message, sizeof message);
    if (!l->compiler) stop(EXIT_SETUP, "%s%s", message, "");
    const char *name = strcmp(o->device, "auto") ? o->device : "sim";
    if (!strcmp(o->device, "auto") && device_find("cuda")->present(&e) == DEVICE_OK) name = "cuda";
    l->device = device_find(name);
    if (!l->device) stop(EXIT_USAGE, "no device `%s`: %s", name, device_names);
    if (l->device->present(&e) != DEVICE_OK) stop(EXIT_SETUP, "%s%s", e.message, "");
}
/* Returns a handout's record of one run. The handout contains the record instead of the kernels, which would reveal
 * answers. Returns NULL if the kernels exist. Exits if the options select another run. */
static json_t *find_record(const struct ladder *l) {
    const struct ladder_options *o = &l->options;
    char path[4200];
    snprintf(path, sizeof path, "%s/grader/ladder/kernels.cu", l->place->root);
    if (!access(path, R_OK)) return NULL;
    if (o->sweep || o->near || o->solutions || o->modeled || l->n != DEFAULT_N || strcmp(o->op, "sum_f32") != 0 ||
        o->gpu != gpu_default || !strcmp(o->device, "cuda") || o->seed != 1)
        stop(EXIT_USAGE,
             "only your instructor has the kernels. A handout has their figures for sum_f32 of 2^20 elements on the "
             "simulator: use ./grade ladder with --rows, --csv, --json or --svg%s%s",
             "; or --cpu", "");
    snprintf(path, sizeof path, "%s/" LADDER_RECORD, l->place->root);
    json_t *record = json_load_file(path, 0, NULL);
    if (!record) stop(EXIT_SETUP, "%s cannot be read: unpack the archive again%s", LADDER_RECORD, "");
    return record;
}
/* For each selected lab that supports the operator and type, adds a row for the first kernel of its solution. */
static void add_solutions(const struct ladder *l, json_t *all) {
    for (unsigned k = 0; k < lab_row_count; k++) {
        const struct lab *lab = lab_rows[k];
        struct kernels solution = {.text = {0}};
        struct ladder_row row;
        char file[256], message[512];
        uint32_t blocks = 0;
        if (!ladder_lab_row(lab, l->v, l->options.gpu, &row) || !is_wanted(l, &row)) continue;
        show_progress(&row);
        snprintf(file, sizeof file, "solutions/%s_%s/reduce.cu", lab->id, lab->name);
        load_kernels(l, file, lab->arch, l->v, &solution);
        if (!solution.missing[0] &&
            !ladder_lab_tuning(lab, &solution.program, l->n, &row, &blocks, message, sizeof message))
            stop(EXIT_SETUP, "%s: %s", file, message);
        json_array_append_new(all, row_json(l, &solution, &row, blocks));
        unload_kernels(&solution);
    }
}

/* ---- the command ------------------------------------------------------------------------------------------------- */
static void write_file(const char *path, bool (*write)(const json_t *, FILE *), const json_t *record) {
    const bool standard = !strcmp(path, "-");
    FILE *f = standard ? stdout : fopen(path, "w");
    bool ok = f && write(record, f) && fflush(f) == 0;
    if (f && !standard) ok &= fclose(f) == 0;
    if (!ok) stop(EXIT_SETUP, "%s: cannot be written: %s", path, strerror(errno));
}
static bool write_json(const json_t *record, FILE *out) {
    return json_dumpf(record, out, JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(12)) == 0 &&
           fputc('\n', out) != EOF;
}
static bool all_right(const json_t *record) {
    size_t k;
    json_t *row;
    json_array_foreach(json_object_get(record, "rows"), k, row) if (json_object_get(row, "wrong")) return false;
    return true;
}
/* Stores the record in the cache, where the HTML report finds it, if it contains all rows, with the default operator,
 * number of elements and modeled GPU. */
static void keep_record(const struct ladder *l, const json_t *record) {
    char path[4200];
    const struct ladder_options *o = &l->options;
    if (o->rows || o->cpu || o->sweep || o->near || o->solutions || o->n || strcmp(o->op, "sum_f32") != 0 ||
        o->gpu != gpu_default)
        return;
    snprintf(path, sizeof path, "%s/ladder.json", l->place->cache);
    json_dump_file(record, path, JSON_COMPACT | JSON_REAL_PRECISION(9));
}
/* Returns the read bandwidth, in bytes per second, of the device that runs the rows. The bandwidth is measured, or
 * taken from the GPU's model if the rows run on the simulator or the measurement failed. */
static double read_bandwidth(const struct ladder *l, bool *measured) {
    const double read = l->options.cpu                  ? ladder_read_bandwidth()
                        : l->device && l->device->times ? ladder_device_bandwidth(&l->kernels[0].program)
                                                        : 0;
    *measured = read > 0;
    return *measured ? read : l->options.gpu->dram_throughput * l->options.gpu->clock_mhz * 1e6;
}
static json_t *make_record(struct ladder *l) {
    bool measured;
    double read = read_bandwidth(l, &measured);
    char text[64], seed[32];
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)l->options.seed);
    json_t *rows = json_array();
    if (l->options.solutions)
        add_solutions(l, rows);
    else
        add_rows(l, rows);
    if (isatty(STDERR_FILENO)) fputs("\r\033[K", stderr);
    /* Measured before and after the rows, because other processes may load the machine. */
    if (measured) read = fmax(read, read_bandwidth(l, &measured));
    json_t *record = json_pack(
        "{s:s, s:I, s:s, s:I, s:s, s:s, s:s, s:f, s:b, s:b, s:o}", "schema", "reduction-labs/ladder/2", "elements",
        (json_int_t)l->n, "op", variant_name(l->v), "bytes_an_element", (json_int_t)variant_size(l->v), "device",
        l->device     ? l->device->name
        : l->recorded ? "sim"
                      : "cpu",
        "seed", seed, "exact", reference_print(l->v, l->exact, text, sizeof text), "bytes_per_second", read,
        "bandwidth_measured", measured, "sweep", l->options.sweep, "rows", rows);
    if (l->options.gpu != gpu_default) json_object_set_new(record, "gpu", json_string(l->options.gpu->name));
    return record;
}
int ladder_command(int argc, char **argv, const struct ladder_place *place) {
    static const struct variant plain = {REDUCE_OP_SUM, REDUCE_TYPE_F32, 0};
    struct ladder l = {.place = place};
    struct ladder_options *o = &l.options;
    ladder_options_parse(argc, argv, o);
    if (!variant_find(o->op, strlen(o->op), &l.v) || l.v.type == REDUCE_TYPE_U16 ||
        l.v.op > (o->solutions ? REDUCE_OP_ARGMAX : REDUCE_OP_MATRIX))
        stop(EXIT_USAGE,
             "no operator and type `%s`: write sum, product, min or max with _i32, _u32, _i64, _f32 or _f64; or "
             "affine_u32 or matrix_u32, which do not commute%s",
             o->op, o->solutions ? "; or argmin or argmax with _i32, _f32 or _f64" : "");
    check_rows(&l);
    l.n = o->n ? o->n : o->cpu ? DEFAULT_CPU_N : DEFAULT_N;
    l.data = malloc((size_t)l.n * variant_size(l.v));
    if (!l.data) stop(EXIT_SETUP, "out of memory%s%s", "", "");
    fill_inputs(&l);
    if (!o->cpu) l.recorded = find_record(&l);
    if (!o->cpu && !l.recorded) find_device(&l);
    /* l.kernels[0] contains the kernel that measures the bandwidth. */
    if (!o->cpu && !l.recorded && (!o->solutions || l.device->times))
        load_kernels(&l, files[0].file, 0, o->solutions ? plain : l.v, &l.kernels[0]);
    json_t *record = make_record(&l);
    const bool to_stdout =
        (o->csv && !strcmp(o->csv, "-")) || (o->json && !strcmp(o->json, "-")) || (o->svg && !strcmp(o->svg, "-"));
    if (!to_stdout) ladder_table(record, stdout);
    if (o->csv) write_file(o->csv, ladder_csv, record);
    if (o->json) write_file(o->json, write_json, record);
    if (o->svg) write_file(o->svg, ladder_svg, record);
    keep_record(&l, record);
    const int status = all_right(record) ? EXIT_FULL : EXIT_PARTIAL;
    json_decref(record);
    json_decref(l.recorded);
    for (unsigned k = 0; k < FILES; k++) unload_kernels(&l.kernels[k]);
    free(l.data);
    return status;
}
