/* Creates the JSON objects for the results of checks. See judge.h and docs/grading.md. */
#include "judge/case_again.h"
#include "judge/judge.h"
#include "probes/measured.h"
#include "judge/values.h"
#include "judge/wrong.h"
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void set_result(json_t *result, enum check_status status, double share, const char *format, va_list arguments) {
    char message[600];
    vsnprintf(message, sizeof message, format, arguments);
    check_status_set(result, status);
    json_object_set_new(result, "message", measured_text(message));
    json_object_set_new(result, "share", json_real(share));
}
#define RESULT(name, status, share)                                                                                    \
    void name(json_t *result, const char *format, ...) {                                                               \
        va_list arguments;                                                                                             \
        va_start(arguments, format);                                                                                   \
        set_result(result, status, share, format, arguments);                                                          \
        va_end(arguments);                                                                                             \
    }
RESULT(result_pass, STATUS_PASS, 1.0)
RESULT(result_fail, STATUS_FAIL, 0.0)
RESULT(result_skip, STATUS_SKIPPED, 0.0)
RESULT(result_setup, STATUS_SETUP, 0.0)
void result_without_points(json_t *result, enum check_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set_result(result, status, 0.0, format, arguments);
    va_end(arguments);
}
void result_share(json_t *result, double share) { json_object_set_new(result, "share", json_real(share)); }
void result_evades(json_t *result, double degree) { json_object_set_new(result, "evades", json_real(degree)); }
void result_wrong_case(json_t *result, const struct grade_case *c, const struct outcome *o) {
    char name[160], text[600];
    wrong_describe(c, o, "", text, sizeof text);
    json_object_set_new(result, "wrong_case",
                        json_pack("{s:s, s:o}", "case", case_name(c, name, sizeof name), "text", measured_text(text)));
}

void result_ratio(json_t *result, const char *what, double ratio, double full, double none, const char *more) {
    if (ratio <= full)
        result_pass(result, "%s %.2f times the reference's%s", what, ratio, more);
    else {
        result_fail(result, "%s %.2f times the reference's; full credit up to %.2f, none at %.2f or more%s", what,
                    ratio, full, none, more);
        if (ratio < none) result_share(result, (none - ratio) / (none - full));
    }
}

/* Adds the launch to the finding's message, unless it is the first of the case, which the case's name describes. */
static void tell_launch(json_t *finding, const struct finding *f, const struct grade_case *c) {
    if (c->kernel->finish != FINISH_ITSELF || f->launch < 2) return;
    const struct grade_case l = case_launch(c, f->launch - 1);
    char cluster[24] = "";
    if (l.cluster) snprintf(cluster, sizeof cluster, ", cluster=%u", case_cluster(&l, l.grid));
    json_object_set_new(finding, "message",
                        json_sprintf("%s (in launch %u of %u: n=%u, block=%u, grid=%u%s)",
                                     json_string_value(json_object_get(finding, "message")), f->launch,
                                     case_launches(c), l.n, l.block, l.grid, cluster));
}
json_t *finding_json(const struct judge *j, const struct finding *f, const struct grade_case *c) {
    char name[128], replay[PATH_MAX + 256];
    json_t *o = measured_finding(f, judge_taught(j), "reduce.cu", j->options->shown);
    tell_launch(o, f, c);
    json_object_set_new(o, "rank", json_integer(f->kind->rank));
    json_object_set_new(o, "case", json_string(case_name(c, name, sizeof name)));
    json_object_set_new(o, "replay", measured_text(replay_command(j, c, replay, sizeof replay)));
    return o;
}
static bool same_finding(json_t *a, json_t *b) {
    json_t *x = json_object_get(a, "at"), *y = json_object_get(b, "at");
    return json_equal(json_object_get(a, "kind"), json_object_get(b, "kind")) &&
           json_equal(json_object_get(x, "line"), json_object_get(y, "line")) &&
           json_equal(json_object_get(x, "file"), json_object_get(y, "file"));
}
void findings_merge(json_t *into, json_t *from) {
    size_t k, n;
    json_t *f, *old;
    json_array_foreach(from, k, f) {
        bool known = false;
        json_array_foreach(into, n, old) {
            if (!same_finding(old, f)) continue;
            known = true;
            json_object_set_new(old, "count",
                                json_integer(json_integer_value(json_object_get(old, "count")) +
                                             json_integer_value(json_object_get(f, "count"))));
        }
        if (!known) json_array_append(into, f);
    }
}
char *shell_word(const char *word, char *out, size_t size) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-+,:=@%";
    char *end = out;
    const char *last = out + size - 6; /* room for a character of up to 4 bytes, the closing quote, and the NUL */
    if (size < 8 || (*word && !word[strspn(word, plain)])) {
        snprintf(out, size, "%s", word);
        return out;
    }
    *end++ = '\'';
    for (; *word && end < last; word++) {
        if (*word == '\'') memcpy(end, "'\\'", 3), end += 3;
        *end++ = *word;
    }
    *end++ = '\'', *end = 0;
    return out;
}
char *replay_command(const struct judge *j, const struct grade_case *c, char *out, size_t size) {
    char name[128], order[SIM_SCHEDULE_TEXT], values[REPLAY_VALUES] = "";
    const struct sim_schedule *s = c->schedule.chosen ? &c->schedule : &j->options->schedule;
    const bool listed = c->values && c->n && values_print(c->variant, c->values, c->n, values, sizeof values);
    snprintf(out, size, "./grade %s%s%s --seed %llu --case %s%s%s%s%s", j->lab->id,
             j->options->replay_options[0] ? " " : "", j->options->replay_options, (unsigned long long)j->options->seed,
             case_name(c, name, sizeof name), listed ? " --values " : "", listed ? values : "",
             s->chosen ? " --schedule " : "", s->chosen ? sim_schedule_print(s, order, sizeof order) : "");
    return out;
}
