/* Checks predictions.txt, in which students write what they expect before they measure. The file has comments, which
 * begin with #, and lines `name@M: number`; a `?` is a blank. The predictions are checked for one block size M, which
 * the student's id or the seed selects. */
#include "judge/judge.h"
#include "judge/observed.h"
#include "judge/seal.h"
#include "compile/source.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_TEXT = 64 << 10 };
/* Reports show counts for one block size. It is not among these, because the counts would reveal the answers. */
const uint32_t prediction_blocks[PREDICTION_BLOCKS] = {128, 256, 512};
_Static_assert(OBSERVED_BLOCK > 512, "reports must not show a block size of prediction_blocks");

enum prediction prediction_find(const char *text, const char *name, uint32_t block, double *value) {
    char key[80];
    snprintf(key, sizeof key, "%s@%u", name, block);
    for (const char *line = text; *line;) {
        const size_t n = strcspn(line, "\n");
        const char *s = line;
        while (isblank((unsigned char)*s)) s++;
        if (!strncmp(s, key, strlen(key))) {
            for (s += strlen(key); isblank((unsigned char)*s); s++) continue;
            if (*s == ':') {
                char *end;
                for (s++; isblank((unsigned char)*s); s++) continue;
                if (*s == '?') return PREDICTION_OPEN;
                if (isspace((unsigned char)*s))
                    return PREDICTION_BAD; /* strtod() would skip the newline and read the next line */
                *value = strtod(s, &end);
                while (isblank((unsigned char)*end) || *end == '\r') end++;
                return end > s && (!*end || *end == '\n' || *end == '#') ? PREDICTION_GIVEN : PREDICTION_BAD;
            }
        }
        line += n + (line[n] == '\n');
    }
    return PREDICTION_MISSING;
}
/* ---- possible questions: all figures of the record, and active_lanes_last_step ------------------ */
static double last_active_lanes(const struct measurement *m) {
    const struct steps *l = steps_of(m);
    for (unsigned k = l->count; k-- > 0;)
        if (l->item[k].kind == STEP_TREE) return l->item[k].active_lanes;
    return 0;
}
static double counted(const char *name, const struct measurement *m) {
    const char *dot = strchr(name, '.');
    if (dot) name = dot + 1;
    if (!strcmp(name, "active_lanes_last_step")) return last_active_lanes(m);
    struct figure_value v;
    figure_value(m, &(struct figure){.key = name}, &v);
    return (double)v.count + v.real;
}
/* Returns the kernel of a question such as "one_level.launches", or the lab's first kernel. */
static const struct lab_kernel *asked_of(const struct lab *lab, const char *name) {
    const size_t length = strcspn(name, ".");
    for (unsigned k = 0; name[length] && k < lab->kernel_count; k++)
        if (!strncmp(lab->kernels[k].name, name, length) && !lab->kernels[k].name[length]) return &lab->kernels[k];
    return lab->kernels;
}
/* Runs one full block of `kernel` and stores the measurements in `o`. */
static void observe(const struct judge *j, const struct lab_kernel *kernel, uint32_t block, struct outcome *o) {
    const struct variant first = variant_at((unsigned)__builtin_ctz(j->lab->variants));
    const struct grade_case c = case_full(kernel, first, block, DATA_EXACT, j->options->seed);
    memset(o, 0, sizeof *o);
    o->kind = OUTCOME_SKIPPED;
    if (!judge_is_endless(j, kernel)) case_run(j, &j->student, &c, MEASURE_COUNTS | MEASURE_STEPS, o);
}

/* Returns whether all other tests have all their points. */
static bool rest_is_full(const json_t *tests, const json_t *test) {
    size_t k;
    const json_t *t;
    json_array_foreach(tests, k,
                       t) if (t != test && json_integer_value(json_object_get(t, "points")) !=
                                               json_integer_value(json_object_get(t, "max_points"))) return false;
    return true;
}
void predictions_conceal(json_t *record, bool past_deadline) {
    size_t k, n;
    json_t *tests = json_object_get(record, "tests"), *test, *row;
    json_array_foreach(tests, k, test) {
        json_t *rows = json_object_get(test, "predictions");
        bool answered = true;
        json_array_foreach(rows, n, row) answered &= json_object_get(row, "predicted") != NULL;
        if (answered && (past_deadline || rest_is_full(tests, test))) continue;
        json_array_foreach(rows, n, row) if (!json_is_true(json_object_get(row, "right")))
            json_object_del(row, "counted");
    }
}

uint32_t prediction_block(uint64_t draw) {
    return prediction_blocks[(draw * UINT64_C(0x9e3779b97f4a7c15) >> 40) % PREDICTION_BLOCKS];
}
/* Sets the check's message and points: `right` of `all` predictions are correct. */
static void settle(const struct judge *j, json_t *result, unsigned right, unsigned all, unsigned open, uint32_t block,
                   const struct seal *seal) {
    const double unsealed = lab_mark(j->lab, MARK_UNSEALED), counts = seal->state == SEAL_FIRST ? 1 : unsealed;
    char words[120], blanks[60] = "", sealed[300] = "";
    if (open) snprintf(blanks, sizeof blanks, "; %u blank%s left in predictions.txt", open, open == 1 ? "" : "s");
    if (seal->state != SEAL_NONE) snprintf(sealed, sizeof sealed, "; %s", seal_words(seal, words, sizeof words));
    if (counts < 1)
        snprintf(sealed + strlen(sealed), sizeof sealed - strlen(sealed),
                 "; not sealed before the first grading run, so predictions get %.0f%% of the points (./grade %s "
                 "--seal)",
                 100 * counts, j->lab->id);
    if (right == all && counts >= 1)
        result_pass(result, "all %u predictions right for M = %u%s", all, block, sealed);
    else {
        result_fail(result, "%u of %u predictions right for M = %u%s%s", right, all, block, blanks, sealed);
        result_share(result, counts * right / all);
    }
}

/* Returns the number of questions in the file, for all M, that are not answered by a number. */
static unsigned blanks_in(const char *text, const struct lab *lab) {
    unsigned blanks = 0;
    double value;
    for (unsigned k = 0; lab->predictions[k]; k++)
        for (unsigned b = 0; b < PREDICTION_BLOCKS; b++)
            blanks += prediction_find(text, lab->predictions[k], prediction_blocks[b], &value) != PREDICTION_GIVEN;
    return blanks;
}

void judge_predictions(struct judge *j, json_t *result) {
    const uint32_t block = prediction_block(j->options->student ? j->options->student_draw : j->options->seed);
    const struct lab_kernel *kernel = NULL;
    bool wrong = false;
    char why[200];
    char *text = source_read(j->options->predictions, MAX_TEXT, why, sizeof why);
    struct outcome o = {0};
    unsigned right = 0, all = 0;
    if (!text) {
        const bool missing = access(j->options->predictions, F_OK) != 0;
        result_fail(result, "predictions.txt %s", missing ? "is missing: put it next to reduce.cu" : why);
        return;
    }
    const struct seal seal = seal_of(text);
    const unsigned blanks = blanks_in(text, j->lab);
    json_t *rows = json_array();
    for (; j->lab->predictions[all]; all++) {
        const char *name = j->lab->predictions[all];
        double predicted = 0;
        if (kernel != asked_of(j->lab, name)) {
            if (kernel) outcome_free(&o);
            observe(j, kernel = asked_of(j->lab, name), block, &o);
            wrong |= o.kind != OUTCOME_RIGHT;
        }
        const enum prediction a = prediction_find(text, name, block, &predicted);
        const double count = counted(name, &o.measurement);
        const bool ok = a == PREDICTION_GIVEN && predicted == count;
        right += ok;
        json_t *row = json_pack("{s:s, s:i, s:b}", "name", name, "block", (int)block, "right", ok);
        if (a == PREDICTION_GIVEN) json_object_set_new(row, "predicted", json_real(predicted));
        /* until all questions are answered, only correct predictions are shown with the count */
        if (a == PREDICTION_GIVEN && (ok || !blanks)) json_object_set_new(row, "counted", json_real(count));
        json_array_append_new(rows, row);
    }
    json_object_set_new(result, "predictions", rows);
    if (wrong)
        result_fail(result, "not compared: the kernel's result is wrong");
    else
        settle(j, result, right, all, blanks, block, &seal);
    if (seal.state != SEAL_NONE) json_object_set_new(result, "seal", seal_json(&seal));
    if (kernel) outcome_free(&o);
    free(text);
}
