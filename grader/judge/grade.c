/* Runs a whole grade: compiles and loads the submission, runs the lab's checks, and assembles the record. See
 * judge.h. */
#include "device/worker.h"
#include "base/arena.h"
#include "judge/child.h"
#include "compile/diagnostics.h"
#include "judge/figures.h"
#include "judge/judge.h"
#include "probes/measured.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_SHOWN = 128 << 10 /* a longer submission is not in the record */ };

/* ---- the record ----------------------------------------------------------------------------- */
json_t *judge_unfinished(const struct judge_options *o) {
    char seed[32];
    json_t *shown = json_string(o->shown); /* NULL if the name is not UTF-8 */
    snprintf(seed, sizeof seed, "%llu", (unsigned long long)o->seed);
    return json_pack("{s:s, s:{s:s, s:s, s:s}, s:o, s:s++, s:s, s:s, s:b, s:i, s:i, s:[], s:{s:b, s:s, s:s}, s:s, s:s}",
                     "schema", "reduction-labs/result/3", "lab", "id", o->lab->id, "name", o->lab->name, "title",
                     o->lab->title, "submission", shown ? shown : measured_text(o->shown), "device", o->device->name,
                     o->gpu ? " and " : "", o->gpu ? o->gpu->name : "", "compiler",
                     compiler_name(o->compiler), /* the seed is a string, because a JSON number may lose bits beyond
                                                    2^53 */
                     "seed", seed, "solution", o->solution, "score", 0, "max_score", 100, "tests", "build", "ok", 0,
                     "log", "", "variant", "", "end", grade_end_word(END_SETUP), "message", JUDGE_UNFINISHED);
}
/* Adds the submission's text, for reports that show it in full. Omits it if it is longer than MAX_SHOWN. */
static void add_text(json_t *record, const struct judge *j) {
    const char *source = j->student.text.source_text;
    if (!source || strlen(source) > MAX_SHOWN) return;
    json_t *text = json_string(source); /* NULL if the text is not UTF-8 */
    json_object_set_new(record, "text", text ? text : measured_text(source));
}
/* Stores how the grade ended. Its message becomes a single line: tools print several, and end with a newline. */
static void set_end(json_t *record, enum grade_end end, const char *message) {
    char *line = strdup(message);
    size_t n = 0;
    for (const char *s = message; line && *s; s++) {
        const bool breaks = *s == '\n' || *s == '\r', spaced = !n || line[n - 1] == ' ';
        if (!breaks || !spaced) line[n++] = breaks ? ' ' : *s;
    }
    while (n && line[n - 1] == ' ') n--;
    grade_end_set(record, end);
    json_object_set_new(record, "message", json_stringn(line ? line : "", n));
    free(line);
}
static void set_build(json_t *record, enum compile_status s, const char *log, const char *variant) {
    json_t *safe = json_string(log);
    json_object_set_new(record, "build",
                        json_pack("{s:b, s:o, s:s}", "ok", s == COMPILE_OK, "log",
                                  safe ? safe : json_string("(the compiler's messages are not valid UTF-8)"), "variant",
                                  variant));
    if (s == COMPILE_SUBMISSION) set_end(record, END_BUILD, "the submission does not build");
    if (s == COMPILE_SETUP) set_end(record, END_SETUP, log);
}
/* Adds the compiler's errors if the file does not compile; otherwise, adds its warnings. */
static void add_diagnostics(json_t *record, const struct compiled *c, const char *shown) {
    json_t *build = json_object_get(record, "build"),
           *warnings = c->status == COMPILE_OK ? diagnostics_json(c->log, c->source_text) : NULL;
    const char *log = json_string_value(json_object_get(build, "log"));
    if (json_array_size(warnings)) json_object_set(build, "warnings", warnings);
    if (grade_end_of(record) == END_BUILD)
        json_object_set_new(build, "errors",
                            diagnostics_places(log ? log : "", shown, c->source_text ? c->source_text : ""));
    json_decref(warnings);
}
/* ---- parts of the record other than tests --------------------------------------------------- */
static json_t *draw(struct judge *j, const void *context) {
    json_t *result = json_object();
    pictures(j, context, result);
    return result;
}
static json_t *measure_previous(struct judge *j, const void *context) {
    json_t *shown = figures_shown(j);
    (void)context;
    return shown ? shown : json_object();
}
/* Adds the data for pictures, if the runs for them finish. */
static void add_pictures(json_t *record, struct judge *j) {
    char how[256];
    enum child_end end;
    json_t *drawn = child_run(j, draw, json_object_get(record, "tests"), &end, how, sizeof how);
    if (drawn && check_status_of(drawn) == STATUS_NONE) json_object_set(record, "pictures", drawn);
    json_decref(drawn);
}

/* Finds the previous lab and keeps only its first variant. Returns false if there is none. */
static bool lab_before(const struct lab *lab, struct lab *out) {
    for (unsigned k = 0; k < lab_row_count; k++) {
        if (atoi(lab_rows[k]->id + 3) != atoi(lab->id + 3) - 1) continue;
        *out = *lab_rows[k];
        out->variants &= -out->variants;
        return true;
    }
    return false;
}
/* Builds the reference, together with a student's own operator. In a handout, loads its figures instead. */
static enum compile_status find_reference(struct judge *j, char *message, size_t size) {
    char path[4096];
    const struct judge_options *o = j->options;
    snprintf(path, sizeof path, "%s/solutions/%s_%s/reduce.cu", o->root, j->lab->id, j->lab->name);
    if (!access(path, R_OK)) return program_build(j, &j->reference, path, "the reference", true, message, size);
    j->recorded = figures_load(o, message, size);
    return j->recorded ? COMPILE_OK : COMPILE_SETUP;
}
static void free_reference(struct judge *j) {
    program_free(j, &j->reference);
    json_decref(j->recorded);
    j->reference = (struct program){0}, j->recorded = NULL;
}
/* Adds the counts of the previous lab's reference, for comparison, if they can be measured. */
static void add_previous(json_t *record, const struct judge_options *o) {
    struct lab before;
    char message[1024];
    if (!lab_before(o->lab, &before)) return;
    struct judge_options options = *o;
    options.lab = &before;
    struct judge j = {.options = &options, .lab = &before};
    if (find_reference(&j, message, sizeof message) == COMPILE_OK) {
        enum child_end end;
        json_t *shown = child_run(&j, measure_previous, NULL, &end, message, sizeof message),
               *of = json_object_get(shown, "counts");
        if (of)
            json_object_set_new(record, "previous",
                                json_pack("{s:s, s:O, s:O, s:O}", "lab", before.id, "block",
                                          json_object_get(shown, "block"), "elements",
                                          json_object_get(shown, "elements"), "counts", of));
        json_decref(shown);
    }
    free_reference(&j);
}

static enum compile_status open_own(struct judge *j, struct own *own, char *message, size_t size) {
    const struct judge_options *o = j->options;
    const struct own_request r = {.path = o->own,
                                  .shown = o->own_shown,
                                  .root = o->root,
                                  .cache = o->cache,
                                  .compiler = o->compiler,
                                  .sim = o->sandbox ? &device_worker : device_find("sim"),
                                  .seed = o->seed,
                                  .sandbox = o->sandbox};
    j->own = own;
    for (unsigned trial = 1;; trial++) {
        const unsigned before = worker_interruptions();
        const enum compile_status s = own_open(own, &r, message, size);
        if (worker_interruptions() == before) return s;
        if (trial == 2) break;
        own_close(own);
    }
    snprintf(message, size, "the simulator was killed twice, by the out-of-memory killer or a user");
    return COMPILE_SETUP;
}
static void add_operator(json_t *record, const struct own *own) {
    json_t *shown = json_string(own->shown); /* NULL if the name is not UTF-8 */
    json_object_set_new(record, "operator",
                        json_pack("{s:o, s:i, s:b}", "file", shown ? shown : measured_text(own->shown), "bytes",
                                  (int)own->bytes, "commutes", own->commutes));
}
static void *prepare_reference(void *judge) {
    struct judge *j = judge;
    char message[1024];
    if (find_reference(j, message, sizeof message) != COMPILE_OK)
        free_reference(j); /* reported when the reference is needed */
    return NULL;
}
/* Returns whether the reference can be prepared without the submission. With --op, the reference depends on the
 * operator. With --solution, the submission is the reference. A replay and a build need no reference. */
static bool has_reference(const struct judge *j, bool only_build) {
    const struct judge_options *o = j->options;
    return !only_build && !o->own && !o->solution && !judge_is_replay(j);
}
/* Prepares everything that does not depend on the submission, before the submission exists. With --op, the compiler
 * cannot start, because the operator must be read first. */
static void prepare(struct judge *j, bool only_build) {
    if (!j->options->own) j->ahead = program_build_ahead(j);
    if (has_reference(j, only_build)) prepare_reference(j);
}
/* Returns whether a submission exists. If not, compiling the reference would be a waste. */
static bool may_build(const struct judge_options *o) {
    struct stat s;
    return !lstat(o->submission, &s) && S_ISREG(s.st_mode);
}
/* Builds the submission. If the reference is needed, another thread prepares it at the same time. */
static enum compile_status build(struct judge *j, bool only_build, char *message, size_t size) {
    const struct judge_options *o = j->options;
    pthread_t other;
    const bool two = !o->ready && has_reference(j, only_build) && may_build(o) &&
                     !pthread_create(&other, NULL, prepare_reference, j);
    const enum compile_status s = program_build(j, &j->student, o->submission, o->shown, o->solution, message, size);
    if (two) pthread_join(other, NULL);
    return s;
}
/* Keeps the prepared reference. Builds or loads the reference if there is none, or if another compiler accepted the
 * submission. */
static enum compile_status have_reference(struct judge *j, const struct compiler *prepared, char *message,
                                          size_t size) {
    const bool there = j->recorded || j->reference.text.count;
    if (there && !strcmp(compiler_name(prepared), compiler_name(j->options->compiler))) return COMPILE_OK;
    free_reference(j);
    return find_reference(j, message, size);
}
static json_t *grade_lab(const struct judge_options *given, bool only_build) {
    struct judge_options with = *given, *const o = &with;
    struct arena drawn = {0};
    struct judge j = {.options = o, .lab = o->lab, .drawn = &drawn};
    struct own own = {0};
    json_t *record = judge_unfinished(o);
    char message[64 << 10] = "";
    if (o->ready) prepare(&j, only_build), o->ready(o->ready_context);
    enum compile_status s = o->own ? open_own(&j, &own, message, sizeof message) : COMPILE_OK;
    if (s == COMPILE_OK) s = build(&j, only_build, message, sizeof message);
    compile_ahead_free(j.ahead), j.ahead = NULL;
    if (j.student.text.by.name) { /* from now on, use the compiler that accepted the submission */
        o->compiler = &j.student.text.by;
        json_object_set_new(record, "compiler", json_string(compiler_name(o->compiler)));
    }
    set_build(record, s, message, o->own ? "" : j.student.text.variant);
    add_diagnostics(record, &j.student.text, json_string_value(json_object_get(record, "submission")));
    add_text(record, &j);
    if (o->own && own.text) add_operator(record, &own);
    if (s == COMPILE_SUBMISSION && !only_build && o->explain && !judge_is_replay(&j)) o->explain(&j, record);
    if (s == COMPILE_OK && !only_build) {
        if (!judge_is_replay(&j)) /* a replay compares nothing with the reference */
            s = have_reference(&j, given->compiler, message, sizeof message);
        if (s != COMPILE_OK)
            set_end(record, END_SETUP, message);
        else {
            judge_checks(&j, record);
            if (o->explain && !judge_is_replay(&j)) o->explain(&j, record);
            judge_group(record);
            if (!judge_is_replay(&j) && !o->own && !o->no_pictures) add_pictures(record, &j), add_previous(record, o);
        }
    } else if (s == COMPILE_OK)
        set_end(record, END_FULL, "");
    program_free(&j, &j.student);
    free_reference(&j);
    own_close(&own);
    free(j.values);
    arena_free(&drawn);
    return record;
}
json_t *judge_grade(const struct judge_options *o) { return grade_lab(o, false); }
json_t *judge_build(const struct judge_options *o) { return grade_lab(o, true); }
