/* Fixes of compiler errors. Rules (build.def) propose edits for the text's first error, and each edited text is
 * compiled. The first edit that compiles is kept. If none compiles, the edit that leaves the fewest errors is kept, and
 * the first of them is corrected in the same way. */
#include "compile/compile.h"
#include "compile/diagnostics.h"
#include "fix/build.h"
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 4,   /* maximum number of errors that a fix corrects */
    COMPILES = 24 /* maximum number of compiler runs */
};
static const struct {
    const char *key, *meaning, *idea;
} words[BUILD_RULES] = {
#define BUILD(id, make, messages, meaning, idea) {#id, meaning, idea},
#include "fix/build.def"
#undef BUILD
};
/* ---- errors ------------------------------------------------------------------------------------------- */
/* Returns the first error in the submission, or NULL. Sets *count to the number of all errors. */
static const json_t *first_error(const json_t *errors, const char *shown, unsigned *count) {
    const json_t *first = NULL;
    size_t k;
    json_t *e;
    *count = 0;
    json_array_foreach((json_t *)errors, k, e) {
        if (!strcmp(fix_text(e, "severity"), "warning")) continue;
        ++*count;
        if (!first && !strcmp(fix_text(e, "file"), shown)) first = e;
    }
    return first;
}

/* ---- the search --------------------------------------------------------------------------------------- */
struct search {
    const struct judge *judge;
    char *text;     /* the text with the edits so far */
    json_t *errors; /* its errors; NULL if it compiles */
    unsigned compiles;
};
/* Compiles a text for the variants. Returns NULL if it compiles, otherwise its errors. Sets *failed if the compiler
 * itself fails, or if a warning shows that the text is no fix. */
static json_t *errors_of(struct search *x, const char *text, uint32_t variants, bool *failed) {
    const struct judge_options *o = x->judge->options;
    const struct compile_request r = {.shown = o->shown,
                                      .root = o->root,
                                      .variants = variants,
                                      .solution = o->solution,
                                      .sandbox = o->sandbox,
                                      .text = text,
                                      .once = true,
                                      .quick = true};
    struct compiled c = compile(o->compiler, &r);
    x->compiles++;
    /* An edit that turns the error into a warning about a statement without effect is no fix. */
    *failed = c.status == COMPILE_SETUP || c.stopped ||
              (c.status == COMPILE_OK && c.log && (strstr(c.log, "no effect") || strstr(c.log, "unused")));
    json_t *errors = c.status == COMPILE_SUBMISSION ? diagnostics_places(c.log ? c.log : "", o->shown, text) : NULL;
    compiled_free(&c);
    return errors;
}
/* Returns whether the rule's edit is right even if the file has more errors. An edit of punctuation may merely move the
 * error. */
static bool is_certain(enum build_rule rule) {
    static const enum build_rule certain[] = {
        BUILD_FOREIGN, BUILD_NEW,     BUILD_VOID_RESULT, BUILD_CALLED_KERNEL, BUILD_JOINED,
        BUILD_UNKNOWN, BUILD_SCOPE,   BUILD_IN_LOOP,     BUILD_OLD_SHUFFLE,   BUILD_NO_MEMBER,
        BUILD_HOST,    BUILD_DYNAMIC, BUILD_MEMBER,      BUILD_NO_TYPE,       BUILD_LOOP_VARIABLE};
    for (size_t k = 0; k < sizeof certain / sizeof *certain; k++)
        if (certain[k] == rule) return true;
    return false;
}
static json_int_t place_of(const json_t *error) {
    return 1000 * json_integer_value(json_object_get(error, "line")) +
           json_integer_value(json_object_get(error, "column"));
}
/* Returns whether `now` has fewer errors than `before`, or as many errors, the first of which is later in the text. */
static bool is_progress(const json_t *before, const json_t *now, const char *shown) {
    enum { SHIFT = 3 }; /* an edit may move the error to the right */
    unsigned had, has;
    const json_t *old = first_error(before, shown, &had), *new = first_error(now, shown, &has);
    return !now || (old && new && (has < had || (has == had && place_of(new) > place_of(old) + SHIFT)));
}
/* Tries the edits for the first error until one compiles. If none does, keeps the edit that leaves the fewest errors.
 * Sets *kept to the edit, and replaces x->text and x->errors. Returns false if no edit helps. */
static bool correct_first(struct search *x, uint32_t variant, struct build_edit *kept) {
    const char *shown = x->judge->options->shown;
    struct build_edits list = {0};
    struct source source;
    unsigned best = UINT32_MAX, least = 0, count;
    const json_t *error = first_error(x->errors, shown, &count);
    json_t *left = NULL;
    source_parse(&source, x->text,
                 x->judge->options->solution); /* reads all tokens, even if it fails because a bracket is missing */
    if (error) build_propose(&list, &source, error);
    for (unsigned k = 0; k < list.count && (best == UINT32_MAX || left) && x->compiles < COMPILES; k++) {
        bool failed;
        json_t *now = errors_of(x, list.item[k].text, variant, &failed);
        first_error(now, shown, &count);
        if (!failed && is_progress(x->errors, now, shown) && (best == UINT32_MAX || count < least))
            best = k, least = count, json_decref(left), left = now;
        else
            json_decref(now);
    }
    if (best != UINT32_MAX) {
        *kept = list.item[best], list.item[best].text = NULL;
        json_decref(x->errors), x->errors = left;
    }
    build_edits_free(&list);
    source_free(&source);
    return best != UINT32_MAX;
}
static json_t *diff_of(const char *old, char *text) {
    const struct source s = {.text = old};
    const struct edit e = {.part = {{0, (uint32_t)strlen(old), text}}, .parts = 1};
    return json_pack("{s:o, s:i}", "diff", edit_diff_lines(&s, &e), "at", edit_first_line(&s, &e));
}
json_t *build_search(struct judge *j, const void *context) {
    const json_t *errors = context;
    const char *old = j->student.text.source_text, *variant = j->student.text.variant;
    struct search x = {.judge = j, .text = strdup(old), .errors = json_deep_copy(errors)};
    struct build_edit first = {0}, next;
    unsigned had, left = 0;
    char *once = NULL; /* the text with the first edit alone */
    uint32_t one = j->lab->variants & -j->lab->variants;
    bool failed = false;
    json_t *result = json_object();
    for (unsigned v = 0; *variant && v < VARIANT_COUNT; v++)
        if (!strcmp(variant_words(variant_at(v)), variant)) one = 1u << v;
    first_error(errors, j->options->shown, &had);
    for (unsigned round = 0; x.text && x.errors && round < ROUNDS && correct_first(&x, one, &next); round++) {
        free(x.text), x.text = next.text;
        if (round) continue;
        first = next, once = strdup(x.text);
        first_error(x.errors, j->options->shown, &left);
    }
    if (x.text && first.line && !x.errors) x.errors = errors_of(&x, x.text, j->lab->variants, &failed);
    const bool whole = x.text && first.line && !x.errors && !failed,
               part = is_certain(first.rule) && left && left < had;
    if (whole || (once && part)) {
        char meaning[400];
        json_t *fix = diff_of(old, whole ? x.text : once);
        snprintf(meaning, sizeof meaning, words[first.rule].meaning, first.quote);
        json_object_update_new(fix,
                               json_pack("{s:i, s:s, s:s, s:s, s:i, s:i, s:i, s:i, s:b, s:[]}", "line", (int)first.line,
                                         "cause", words[first.rule].key, "meaning", meaning, "idea",
                                         words[first.rule].idea, "wrong", (int)had, "left", whole ? 0 : (int)left,
                                         "cases", 0, "tried", (int)x.compiles, "builds", true, "findings"));
        json_object_set_new(result, "fix", fix);
    }
    json_decref(x.errors);
    free(x.text), free(once);
    return result;
}
