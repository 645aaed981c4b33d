/* See figures.h. */
#include "judge/figures.h"
#include "base/hash.h"
#include "compile/cache.h"
#include "probes/measured.h"
#include "judge/observed.h"
#include "judge/own.h"
#include "model/model.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { FIGURES = sizeof(struct figures) / sizeof(uint64_t), REFERENCE_SEED = 1 };
static const char schema[] = "reduction-labs/figures/2";

/* Returns the case as the reference runs it. The seed is fixed, because the reference's counts do not depend on it. If
 * the case has a student's own operator, and the reference has no kernel for it, the variant becomes the lab's
 * first. */
static struct grade_case of_reference(const struct judge *j, struct grade_case c) {
    const bool has =
        !j->recorded &&
        j->reference.symbol[OWN_VARIANT]; /* whether the reference's first kernel supports the student's operator */
    if (j->own && !has) c.variant = variant_at((unsigned)__builtin_ctz(lab_find(j->lab->id)->variants));
    c.seed = REFERENCE_SEED;
    return c;
}
/* Returns a figure of the handout by name. If it is missing, returns NULL and stores a message in `result`. */
static const json_t *recorded(const struct judge *j, const char *part, const char *name, json_t *result) {
    const json_t *found = json_object_get(json_object_get(j->recorded, part), name);
    if (!found)
        result_setup(result,
                     "this handout has no reference figures for %s (%s): unpack the archive again, or ask your "
                     "instructor for a new one",
                     name, part);
    return found;
}

/* ---- the cache ------------------------------------------------------------------------------- */
/* A cache entry with figures of the reference. They depend only on the reference's PTX, on the launches, and on this
 * program. */
struct kept {
    char key[OBSERVED_MAX * 160 + 300];
    struct cache_key of; /* a key without folder disables the cache */
};
/* Makes the cache key of the figures named `part` for these launches. */
static void kept_key(const struct judge *j, const char *part, const struct grade_case own[], unsigned count,
                     struct kept *k) {
    char name[160];
    struct stat program;
    uint64_t ptx = HASH_START;
    k->of.folder = NULL;
    if (j->own || !j->options->cache || stat("/proc/self/exe", &program)) return;
    for (unsigned t = 0; t < j->reference.text.count; t++)
        ptx = hash_bytes(ptx, j->reference.text.ptx[t], j->reference.text.length[t]);
    for (unsigned s = 0; j->reference.symbol && s < j->lab->kernel_count * VARIANT_COUNT; s++)
        ptx = hash_text(ptx, j->reference.symbol[s] ? j->reference.symbol[s] : "-");
    size_t used = (size_t)snprintf(k->key, sizeof k->key, "figures of %s, %s, PTX %llx, program %lld %lld.%09ld\n",
                                   j->lab->id, part, (unsigned long long)ptx, (long long)program.st_size,
                                   (long long)program.st_mtim.tv_sec, program.st_mtim.tv_nsec);
    for (unsigned n = 0; n < count && used < sizeof k->key; n++)
        used += (size_t)snprintf(k->key + used, sizeof k->key - used, "%s\n", case_name(&own[n], name, sizeof name));
    if (used < sizeof k->key) k->of = (struct cache_key){.folder = j->options->cache, .data = k->key, .length = used};
}
static json_t *kept_find(const struct kept *k) {
    size_t length;
    char *said = NULL, *text = k->of.folder ? cache_find(&k->of, &length, &said) : NULL;
    json_t *found = text ? json_loadb(text, length, JSON_DECODE_ANY, NULL) : NULL;
    free(said), free(text);
    return found;
}
static void keep(const struct kept *k, json_t *value) {
    char *text = k->of.folder ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    if (text) cache_keep(&k->of, text, strlen(text), "");
    free(text);
    json_decref(value);
}

/* ---- the reference ---------------------------------------------------------------------------- */
/* Makes `ready` a copy of j with a loaded reference. Loads the reference if necessary. On failure, returns false and
 * stores the reason in `result`. */
static bool load_reference(const struct judge *j, struct judge *ready, json_t *result) {
    char message[1024];
    *ready = *j;
    if (j->reference.module[0]) return true;
    if (program_load(ready, &ready->reference, "the reference", message, sizeof message) == COMPILE_OK) return true;
    program_unload(ready, &ready->reference);
    return result_setup(result, "%s", message), false;
}
static void leave_reference(const struct judge *j, struct judge *ready) {
    if (!j->reference.module[0]) program_unload(ready, &ready->reference);
}
/* Measures the reference, whose result must be correct. Call outcome_free() in either case. */
static bool measure(const struct judge *j, const struct grade_case *c, unsigned what, struct outcome *o,
                    json_t *result) {
    struct judge ready;
    memset(o, 0, sizeof *o);
    if (!load_reference(j, &ready, result)) return false;
    const bool ok = observed_measure(&ready, &ready.reference, c, what, o, result, "reference");
    leave_reference(j, &ready);
    return ok;
}

/* ---- launches --------------------------------------------------------------------------------- */
static struct figures of_measurement(const struct measurement *m) {
    return (struct figures){
#define FIGURE(member, value) .member = (value),
        REFERENCE_FIGURES(FIGURE)
#undef FIGURE
    };
}
/* Returns a launch's figures as one string of numbers, so that a file has one line per launch. */
static json_t *launch_json(const struct figures *f) {
    uint64_t number[FIGURES];
    char text[FIGURES * 21 + 1];
    size_t used = 0;
    memcpy(number, f, sizeof number);
    for (unsigned k = 0; k < FIGURES; k++)
        used +=
            (size_t)snprintf(text + used, sizeof text - used, "%s%llu", k ? " " : "", (unsigned long long)number[k]);
    return json_string(text);
}
static bool launch_of(const json_t *text, struct figures *f) {
    uint64_t number[FIGURES];
    const char *s = json_string_value(text);
    for (unsigned k = 0; s && k < FIGURES; k++) {
        char *end;
        number[k] = strtoull(s, &end, 10);
        s = end > s && (*end == ' ' || !*end) ? end : NULL;
    }
    if (s) memcpy(f, number, sizeof number);
    return s && !*s;
}
static bool run_launches(const struct judge *j, const struct grade_case own[], unsigned count, struct figures out[],
                         json_t *result) {
    struct outcome *outcome = calloc(OBSERVED_MAX, sizeof *outcome);
    struct judge ready;
    bool ok = outcome != NULL;
    if (!ok) return result_setup(result, "out of memory"), false;
    if (!load_reference(j, &ready, result)) return free(outcome), false;
    const unsigned run = observed_run_all(&ready, &ready.reference, own, count, outcome);
    if (run < count)
        result_setup(result, "the reference takes too long: only %u of its %u launches ran", run, count), ok = false;
    for (unsigned n = 0; n < run; n++) {
        if (ok && outcome[n].kind != OUTCOME_RIGHT)
            result_setup(result, "the reference could not be measured: %s", outcome[n].message), ok = false;
        if (ok) out[n] = of_measurement(&outcome[n].measurement);
        outcome_free(&outcome[n]);
    }
    leave_reference(j, &ready);
    free(outcome);
    return ok;
}
static bool kept_launches(const struct judge *j, const struct grade_case own[], unsigned count, struct figures out[],
                          json_t *result) {
    struct kept k;
    kept_key(j, "launches", own, count, &k);
    json_t *all = kept_find(&k);
    bool ok = json_array_size(all) == count;
    for (unsigned n = 0; ok && n < count; n++) ok = launch_of(json_array_get(all, n), &out[n]);
    json_decref(all);
    if (ok || !run_launches(j, own, count, out, result)) return ok;
    all = json_array();
    for (unsigned n = 0; n < count; n++) json_array_append_new(all, launch_json(&out[n]));
    keep(&k, all);
    return true;
}
bool figures_of_launches(const struct judge *j, const struct grade_case *launch, unsigned count, struct figures *out,
                         json_t *result) {
    struct grade_case own[OBSERVED_MAX] = {{0}};
    char name[160];
    for (unsigned n = 0; n < count; n++) own[n] = of_reference(j, launch[n]);
    if (!j->recorded) return kept_launches(j, own, count, out, result);
    for (unsigned n = 0; n < count; n++) {
        const json_t *found = recorded(j, "launches", case_name(&own[n], name, sizeof name), result);
        if (!found) return false;
        if (!launch_of(found, &out[n]))
            return result_setup(result, "%s is damaged: unpack the archive again", name), false;
    }
    return true;
}

/* ---- modeled times ------------------------------------------------------------------------------ */
/* Finds a modeled time in the cache. If it is missing, returns false and sets *k to the entry in which to store it. */
static bool kept_cycles(const struct judge *j, const char *part, const struct grade_case *c, unsigned count,
                        double *cycles, struct kept *k) {
    kept_key(j, part, c, count, k);
    json_t *found = kept_find(k);
    const bool ok = json_is_real(found);
    if (ok) *cycles = json_real_value(found);
    json_decref(found);
    return ok;
}
bool figures_alone(const struct judge *j, const struct grade_case *c, double *cycles, json_t *result) {
    const struct grade_case own = of_reference(j, *c);
    struct outcome o;
    struct kept k;
    char name[160];
    if (j->recorded) {
        const json_t *found = recorded(j, "alone", case_name(&own, name, sizeof name), result);
        *cycles = json_number_value(found);
        return found;
    }
    if (kept_cycles(j, "alone", &own, 1, cycles, &k)) return true;
    const bool ok = measure(j, &own, MEASURE_BLOCK_TIME, &o, result);
    if (ok) *cycles = observed_longest(&o), keep(&k, json_real(*cycles));
    outcome_free(&o);
    return ok;
}
bool figures_large(const struct judge *j, const struct gpu *gpu, double *cycles, json_t *result) {
    struct grade_case c;
    struct outcome o;
    struct kept k;
    if (j->recorded) {
        const json_t *found = recorded(j, "large", gpu->name, result);
        *cycles = json_number_value(found);
        return found;
    }
    if (kept_cycles(j, gpu->name, NULL, 0, cycles, &k)) return true;
    struct judge ready;
    if (!load_reference(j, &ready, result)) return false;
    bool ok = observed_large(&ready, &ready.reference, gpu, &c, result);
    if (ok) {
        c = of_reference(j, c);
        ok = measure(&ready, &c, measure_block_time_on(gpu), &o, result);
        if (ok) *cycles = modeled_cycles(block_time_of(&o.measurement), gpu), keep(&k, json_real(*cycles));
        outcome_free(&o);
    }
    leave_reference(j, &ready);
    return ok;
}

/* ---- figures for display ------------------------------------------------------------------------ */
static struct grade_case shown_case(const struct judge *j) {
    return of_reference(j, observed_case(j, &j->lab->kernels[0], OBSERVED_BLOCK));
}
static struct kept *shown_key(const struct judge *j, struct kept *k) {
    const struct grade_case c = shown_case(j);
    return kept_key(j, "shown", &c, 1, k), k;
}
bool figures_are_kept(const struct judge *j) {
    struct kept k;
    json_t *found = kept_find(shown_key(j, &k));
    json_decref(found);
    return found;
}
json_t *figures_json(const struct grade_case *c, const struct measurement *m) {
    const uint32_t cluster = case_cluster(c, c->grid);
    json_t *launch = json_pack("{s:i, s:i, s:o, s:o}", "block", (int)c->block, "elements", (int)c->n, "counts",
                               measured_counts(m), "steps", measured_steps(steps_of(m)));
    if (cluster) json_object_set_new(launch, "cluster", json_integer(cluster));
    return launch;
}
json_t *figures_shown(const struct judge *j) {
    const struct grade_case c = shown_case(j);
    struct kept key;
    json_t *shown = json_object_get(j->recorded, "shown"), *ignored;
    struct outcome o;
    if (shown) return json_incref(shown);
    if ((shown = kept_find(shown_key(j, &key)))) return shown;
    ignored = json_object();
    if (measure(j, &c, MEASURE_COUNTS | MEASURE_STEPS, &o, ignored)) shown = figures_json(&c, &o.measurement);
    size_t k;
    json_t *step; /* students must not learn the solution's line numbers */
    json_array_foreach(json_object_get(shown, "steps"), k, step) json_object_set_new(step, "line", json_integer(0));
    outcome_free(&o);
    json_decref(ignored);
    if (shown) keep(&key, json_incref(shown));
    return shown;
}

/* ---- files ------------------------------------------------------------------------------------ */
void figures_path(const char *lab, const char *compiler, char *out, size_t size) {
    snprintf(out, size, "grader/figures/%s.%s.json", lab, compiler);
}
json_t *figures_load(const struct judge_options *o, char *message, size_t size) {
    const char *const names[] = {compiler_name(o->compiler), "nvrtc", "nvcc", "clang"};
    char path[4096], whole[8192];
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++) {
        figures_path(o->lab->id, names[k], path, sizeof path);
        snprintf(whole, sizeof whole, "%s/%s", o->root, path);
        json_t *found = json_load_file(whole, 0, NULL);
        const char *has = json_string_value(json_object_get(found, "schema"));
        if (has && !strcmp(has, schema)) return found;
        json_decref(found);
    }
    figures_path(o->lab->id, names[0], path, sizeof path);
    snprintf(message, size,
             "neither solutions/%s_%s/reduce.cu nor the reference's figures (%s) exist: unpack the archive again",
             o->lab->id, o->lab->name, path);
    return NULL;
}

/* ---- recording -------------------------------------------------------------------------------- */
static void set_new(json_t *in, const char *part, const char *name, json_t *value) {
    json_t *all = json_object_get(in, part);
    if (!all) json_object_set_new(in, part, all = json_object());
    json_object_set_new(all, name, value);
}
static bool record_launches(const struct judge *j, const struct lab_kernel *k, json_t *into, json_t *result) {
    struct grade_case launch[OBSERVED_MAX], missing[OBSERVED_MAX];
    struct figures figures[OBSERVED_MAX];
    char name[160];
    const unsigned launches = observed_launches(j, k, launch);
    unsigned count = 0;
    for (unsigned n = 0; n < launches; n++) { /* a launch may be in several sets */
        const struct grade_case c = of_reference(j, launch[n]);
        if (!json_object_get(json_object_get(into, "launches"), case_name(&c, name, sizeof name))) missing[count++] = c;
    }
    if (!figures_of_launches(j, missing, count, figures, result)) return false;
    for (unsigned n = 0; n < count; n++)
        set_new(into, "launches", case_name(&missing[n], name, sizeof name), launch_json(&figures[n]));
    return true;
}
static bool record_alone(const struct judge *j, unsigned launch, json_t *into, json_t *result) {
    double cycles;
    char name[160];
    const struct grade_case c = of_reference(j, observed_alone(j, &j->lab->kernels[0], launch));
    if (!figures_alone(j, &c, &cycles, result)) return false;
    set_new(into, "alone", case_name(&c, name, sizeof name), json_real(cycles));
    return true;
}
/* Records the figures for all sets of launches. Seed 0 selects the first set, seed 1 the second, and so on. */
static bool record_sets(struct judge *j, struct judge_options *o, json_t *into, json_t *result) {
    bool ok = true;
    for (o->seed = 0; ok && o->seed < OBSERVED_SETS; o->seed++) {
        for (unsigned k = 0; ok && k < j->lab->kernel_count; k++)
            if (observed_beside(j->lab, &j->lab->kernels[k]))
                ok = record_launches(j, &j->lab->kernels[k], into, result);
        for (unsigned k = 0; ok && k < j->lab->check_count; k++)
            if (j->lab->checks[k].kind == check_waiting)
                for (unsigned n = 0; ok && n < OBSERVED_ALONE; n++) ok = record_alone(j, n, into, result);
    }
    return ok;
}
static bool record_all(struct judge *j, struct judge_options *o, json_t *into, json_t *result) {
    const struct lab *lab = j->lab, with_own = own_lab(lab);
    struct own own = {.bytes = sizeof(uint32_t)}; /* the launches do not depend on the operator */
    if (!record_sets(j, o, into, result)) return false;
    if (lab->own != OWN_REFUSED) {
        j->lab = &with_own, j->own = &own;
        const bool ok = record_sets(j, o, into, result);
        j->lab = lab, j->own = NULL;
        if (!ok) return false;
    }
    for (unsigned k = 0; k < gpu_count; k++) {
        double cycles;
        if (!figures_large(j, gpu_rows[k], &cycles, result)) return false;
        set_new(into, "large", gpu_rows[k]->name, json_real(cycles));
    }
    json_t *shown = figures_shown(j);
    if (shown) json_object_set_new(into, "shown", shown);
    return shown;
}
json_t *figures_record(const struct judge_options *given, char *message, size_t size) {
    struct judge_options o = *given;
    struct judge j = {.options = &o, .lab = o.lab};
    char path[4096];
    json_t *all = NULL;
    snprintf(path, sizeof path, "%s/solutions/%s_%s/reduce.cu", o.root, o.lab->id, o.lab->name);
    if (program_build(&j, &j.reference, path, "the reference", true, message, size) == COMPILE_OK) {
        json_t *result = json_object();
        all = json_pack("{s:s, s:s, s:s}", "schema", schema, "lab", o.lab->id, "compiler", compiler_name(o.compiler));
        if (!record_all(&j, &o, all, result)) {
            snprintf(message, size, "%s", json_string_value(json_object_get(result, "message")));
            json_decref(all);
            all = NULL;
        }
        json_decref(result);
    }
    program_free(&j, &j.reference);
    return all;
}
