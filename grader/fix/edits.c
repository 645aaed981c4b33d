#include "fix/edits.h"
#include "fix/loops.h"
#include "fix/simpler.h"
#include "base/array.h"
#include "base/hash.h"
#include "record/terms.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const struct fix_cause_words fix_causes[FIX_CAUSES] = {
#define CAUSE(id, symptoms, meaning, idea) {#id, meaning, idea},
#include "fix/causes.def"
#undef CAUSE
};

static bool same(const struct edit *a, const struct edit *b) {
    bool equal = a->hash == b->hash && a->parts == b->parts;
    for (unsigned k = 0; equal && k < a->parts; k++)
        equal = a->part[k].at == b->part[k].at && a->part[k].removed == b->part[k].removed &&
                !strcmp(a->part[k].text, b->part[k].text);
    return equal;
}
static bool changes(const struct source *s, const struct edit *e) {
    for (unsigned k = 0; k < e->parts; k++)
        if (strlen(e->part[k].text) != e->part[k].removed ||
            memcmp(s->text + e->part[k].at, e->part[k].text, e->part[k].removed) != 0)
            return true;
    return false;
}
/* ---- scope ---------------------------------------------------------------------------------------- */
/* Returns the byte offset where the scope of the local variable or enumerator declared at this token ends. Returns 0 if
 * the token declares neither. */
static uint32_t end_of_scope(const struct source *s, int32_t token) {
    const int32_t self = s->token[token].statement;
    if (self < 0 || token == 0) return 0;
    const struct statement *st = &s->statement[self];
    const bool enumerator =
        source_is(s, st->all.first, "enum") && (source_is(s, token - 1, "{") || source_is(s, token - 1, ","));
    if (!enumerator && !is_declared(s, token)) return 0;
    const int32_t around = st->kind == STATEMENT_FOR ? self : st->parent;
    return around < 0 ? 0 : source_end(s, s->statement[around].all);
}
/* Returns whether the token is a parameter of another function. */
static bool is_parameter(const struct source *s, int32_t token, int32_t function) {
    for (int32_t f = 0; f < s->functions; f++)
        if (f != function && token >= s->function[f].parameters.first && token <= s->function[f].parameters.last)
            return true;
    return false;
}
static bool is_named(const struct source *s, int32_t token, const char *name, size_t length) {
    return s->token[token].length == length && !memcmp(s->text + s->token[token].at, name, length);
}
/* Returns whether a file may use the name without declaring it: it is from CUDA, C or the labs' headers, or an edit
 * declares it. */
static bool is_given(const char *name, size_t length) {
    static const char *const given[] = {"threadIdx",
                                        "blockIdx",
                                        "blockDim",
                                        "gridDim",
                                        "x",
                                        "if",
                                        "for",
                                        "value_t",
                                        "unsigned",
                                        "identity",
                                        "int",
                                        "combine",
                                        "min",
                                        "extern",
                                        "atomicAdd",
                                        "bool",
                                        "all_read",
                                        "all_kept",
                                        "is_last",
                                        "chosen",
                                        "__shared__",
                                        "atomic_combine",
                                        "size_t",
                                        "sizeof",
                                        "return",
                                        "break",
                                        "before",
                                        "value",
                                        "index",
                                        "distance",
                                        "fragment",
                                        "word",
                                        "matrix_multiply",
                                        "pack_halves",
                                        "half_to_float",
                                        "while",
                                        "auto",
                                        "sync",
                                        "block_rank",
                                        "num_blocks",
                                        "scalar_t",
                                        "map_shared_rank"};
    for (size_t k = 0; k < sizeof given / sizeof *given; k++)
        if (strlen(given[k]) == length && !memcmp(given[k], name, length)) return true;
    return length > 2 && name[0] == '_' && name[1] == '_';
}
/* Returns whether `name` is visible at byte `at`: it is a local variable in its scope, a parameter, a name that the
 * file declares above, or a predefined name. */
static bool is_visible(const struct source *s, int32_t function, const char *name, size_t length, uint32_t at) {
    const struct function *own = &s->function[function];
    const struct range body = s->statement[own->body].all;
    bool declared = false, used = false;
    for (int32_t k = body.first; k <= body.last; k++) {
        if (!is_named(s, k, name, length)) continue;
        const uint32_t end = end_of_scope(s, k);
        if (end && s->token[k].at < at && at < end) return true;
        declared |= end != 0, used = true;
    }
    if (used) return !declared;
    for (int32_t k = 0; k < s->tokens; k++) {
        if (!is_named(s, k, name, length)) continue;
        if (s->token[k].statement < 0 && s->token[k].at < at && !is_parameter(s, k, function)) return true;
    }
    return is_given(name, length);
}
static bool has_word(const char *text, size_t length, const char *word, size_t n) {
    for (size_t k = 0; k + n <= length; k++)
        if (!memcmp(text + k, word, n) && (!k || !is_word(text[k - 1])) && (k + n == length || !is_word(text[k + n])))
            return true;
    return false;
}
/* Returns whether the text itself declares the word. For example, `for (unsigned each = ...` declares `each`. */
static bool declares_itself(const char *text, const char *word, size_t n) {
    static const char *const types[] = {"unsigned ", "int ", "size_t ", "value_t "};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        for (const char *at = text; (at = strstr(at, types[k])); at++)
            if (!strncmp(at + strlen(types[k]), word, n) && !is_word(at[strlen(types[k]) + n])) return true;
    return false;
}
static bool uses_what_is_visible(const struct source *s, const struct edit *e) {
    for (unsigned k = 0; e->function >= 0 && k < e->parts; k++)
        for (const char *c = e->part[k].text; *c;) {
            size_t n = 0;
            while (is_word(c[n])) n++;
            const bool member = c > e->part[k].text && c[-1] == '.';
            if (n && !member && !(*c >= '0' && *c <= '9') && !declares_itself(e->part[k].text, c, n) &&
                !is_visible(s, e->function, c, n, e->part[k].at) &&
                !has_word(s->text + e->part[k].at, e->part[k].removed, c,
                          n)) /* names in the removed text are accepted */
                return false;
            c += n ? n : 1;
        }
    return true;
}
/* Returns whether the part changes the width of a shuffle, which must be a power of two up to 32. Only the edit that
 * removes the width is allowed. */
static bool changes_width(const struct source *s, const struct edit_part *p) {
    struct range a[4];
    for (int32_t k = 0; k + 1 < s->tokens && s->token[k].at < p->at; k++) /* a call begins before its width */
        if (source_shuffles(s, range_of(k)) && call_arguments(s, k, a, 4) == 4 && p->at >= source_begin(s, a[3]) &&
            p->at + p->removed <= source_end(s, a[3]))
            return true;
    return false;
}
static bool is_removed(const struct source *s, const struct edit *e, int32_t token) {
    const uint32_t at = s->token[token].at;
    for (unsigned k = 0; k < e->parts; k++)
        if (at >= e->part[k].at && at < e->part[k].at + e->part[k].removed) return true;
    return false;
}
/* Returns whether the edit removes the declaration of a name that remains in use. */
static bool drops_a_name(const struct source *s, const struct edit *e) {
    for (unsigned k = 0; e->function >= 0 && k < e->parts; k++)
        for (int32_t t = source_token_at(s, e->part[k].at); t < s->tokens && is_removed(s, e, t); t++) {
            const char *name = s->text + s->token[t].at;
            const size_t n = s->token[t].length;
            const uint32_t end = s->token[t].kind == TOKEN_NAME ? end_of_scope(s, t) : 0;
            bool stays = false;
            for (unsigned p = 0; p < e->parts && end; p++)
                stays |= has_word(e->part[p].text, strlen(e->part[p].text), name, n);
            for (int32_t use = t + 1; !stays && use < s->tokens && s->token[use].at < end; use++)
                if (is_named(s, use, name, n) && !source_is(s, use - 1, ".") && !is_removed(s, e, use)) return true;
        }
    return false;
}
/* Returns whether the parts are in file order and do not overlap. */
static bool are_apart(const struct edit_part *parts, unsigned count) {
    for (unsigned k = 1; k < count; k++)
        if (parts[k - 1].at + parts[k - 1].removed > parts[k].at) return false;
    return true;
}
static void drop(struct edit *e) {
    for (unsigned k = 0; k < e->parts; k++) free(e->part[k].text);
}
/* Returns the line to report: the first one of the range `quoted` or, if the edit only inserts text after it, that of
 * the last token before the text. */
static uint32_t reported_line(const struct source *s, struct range quoted, const struct edit_part *parts,
                              unsigned count) {
    const struct edit_part *only = NULL;
    for (unsigned k = 0; k < count; k++) {
        if (parts[k].removed || (*parts[k].text && only)) return s->token[quoted.first].line;
        if (*parts[k].text) only = &parts[k];
    }
    int32_t at = quoted.first;
    while (only && at + 1 < s->tokens && s->token[at + 1].at < only->at) at++;
    return s->token[at].line;
}
/* ---- the author's style -------------------------------------------------------------------------- */
/* Returns the token of the name that the function gives to the variable, such as M for blockDim in `M = blockDim.x`.
 * Returns -1 if the function also uses the variable elsewhere, or if the name is not visible at byte `at`. */
static int32_t name_given_to(const struct source *s, int32_t function, const char *variable, uint32_t at) {
    const struct range body = body_of(s, function);
    int32_t found = -1;
    unsigned uses = 0;
    for (int32_t k = body.first; k < body.last; k++) {
        if (!source_is(s, k, variable)) continue;
        uses++;
        if (source_is(s, k - 1, "=") && (source_is(s, k + 3, ";") || source_is(s, k + 3, ",")) &&
            is_declared(s, k - 2) && s->token[k - 2].at < at && at < end_of_scope(s, k - 2))
            found = k - 2;
    }
    return uses == 1 ? found : -1;
}
/* Returns the text with each `old` replaced by `now`; free() it. */
static char *replaced(const char *text, const char *old, const char *now) {
    char *out;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    if (!f) return strdup(text);
    for (const char *at; (at = strstr(text, old)); text = at + strlen(old))
        fprintf(f, "%.*s%s", (int)(at - text), text, now);
    fputs(text, f), fclose(f);
    return out;
}
/* Returns whether the texts are equal apart from blanks and from parentheses around all of `a`. */
static bool is_same_expression(const char *a, const char *b) {
    const bool enclosed = *a == '(' && !strchr(a + 1, '(') && a[strlen(a) - 1] == ')';
    for (a += enclosed; *a && !(enclosed && !a[1]); a++)
        if (*a != ' ') {
            b += strspn(b, " ");
            if (*a != *b++) return false;
        }
    return !b[strspn(b, " ")];
}
/* Returns the token of a variable that is visible at byte `at`, that has this value and that keeps it, or -1. */
static int32_t name_of_value(const struct source *s, int32_t function, const char *value, uint32_t at) {
    const struct range body = body_of(s, function);
    char own[EXPRESSION_SIZE];
    for (int32_t k = body.first + 1; k < body.last && s->token[k].at < at; k++) {
        const struct range r = source_is(s, k + 1, "=") && is_declared(s, k) ? operand_behind(s, k + 1) : range_of(k);
        bool changes = r.first == r.last || s->token[r.last].at >= at || at >= end_of_scope(s, k) ||
                       !is_same_expression(value, source_copy(s, r, own, sizeof own));
        for (int32_t n = r.last; n < body.last && !changes; n++) changes = source_same(s, n, k) && is_set(s, n);
        if (!changes) return k;
    }
    return -1;
}
/* In the text of the part, replaces the product for the grid's number of threads with the variable that holds it, if
 * there is one. Frees the text. */
static char *with_number_of_threads(const struct source *s, int32_t function, const struct edit_part *p, char *text) {
    static const char *const products[] = {"gridDim.x * blockDim.x", "blockDim.x * gridDim.x"};
    char name[NAME_SIZE];
    for (unsigned k = 0; k < 2 && text && function >= 0; k++) {
        const char *at = strstr(text, products[k]);
        const bool summand = at && (at == text || (at > text + 1 && at[-1] == ' ' && strchr("=+", at[-2])));
        if (!summand || strpbrk(at + strlen(products[k]), "*/%")) continue;
        for (unsigned n = 0; n < 2; n++) {
            const int32_t given = name_of_value(s, function, products[n], p->at);
            if (given < 0) continue;
            char *now = replaced(text, products[k], source_copy(s, range_of(given), name, sizeof name));
            free(text);
            return now;
        }
    }
    return text;
}
/* Returns the part's text in the author's style; free() it. */
static char *in_style(const struct source *s, int32_t function, const struct edit_part *p) {
    static const char *const words[][2] = {{"blockDim", "blockDim.x"}, {"threadIdx", "threadIdx.x"}};
    char *text = strdup(p->text), name[64];
    const int32_t own =
        function >= 0 && strstr(p->text, "blockIdx.x ") ? name_of_value(s, function, p->text, p->at) : -1;
    if (own >= 0 && text) free(text), text = strdup(source_copy(s, range_of(own), name, sizeof name));
    text = with_number_of_threads(s, function, p, text);
    for (unsigned k = 0; k < 2 && text && function >= 0; k++) {
        const char *word = words[k][1];
        if (!strstr(text, word) || memmem(s->text + p->at, p->removed, word, strlen(word))) continue;
        const int32_t given = name_given_to(s, function, words[k][0], p->at);
        if (given < 0) continue;
        char *now = replaced(text, word, source_copy(s, range_of(given), name, sizeof name));
        free(text), text = now;
    }
    if (text && strstr(text, "/= 2") && strstr(s->text, ">>= 1") && !strstr(s->text, "/= 2")) {
        char *now = replaced(text, "/= 2", ">>= 1");
        free(text), text = now;
    }
    return text ? text : strdup("");
}
void edit_add(struct edit_list *l, enum fix_cause cause, unsigned cost, struct range quoted,
              const struct edit_part *given, unsigned count) {
    const struct source *s = l->source;
    const int32_t statement = s->token[quoted.first].statement;
    struct edit_part parts[EDIT_PARTS];
    char *simple;
    memcpy(parts, given, count * sizeof *given);
    count = edit_simpler(s, &cause, &quoted, parts, count, &simple);
    struct edit e = {.cause = cause,
                     .parts = count,
                     .cost = cost,
                     .function = statement < 0 ? -1 : s->statement[statement].function,
                     .line = reported_line(s, quoted, parts, count),
                     .quoted = quoted};
    e.hash = HASH_START;
    for (unsigned k = 0; k < count; k++) {
        e.part[k] = parts[k], e.part[k].text = in_style(s, e.function, &parts[k]);
        e.hash = hash_text(hash_bytes(e.hash, &parts[k].at, sizeof parts[k].at), e.part[k].text);
    }
    struct edit *more = array_room(l->item, (size_t)l->count + 1, &l->room, sizeof *more);
    if (more) l->item = more;
    bool wanted = more && are_apart(parts, count) && changes(s, &e) && uses_what_is_visible(s, &e) &&
                  !changes_width(s, &parts[0]) && !drops_a_name(s, &e);
    for (unsigned k = 0; wanted && k < l->count; k++) {
        if (!same(&l->item[k], &e)) continue;
        if (cost < l->item[k].cost)
            l->item[k].cost = cost, l->item[k].cause = cause, l->item[k].quoted = quoted, l->item[k].line = e.line;
        wanted = false;
    }
    if (wanted)
        l->item[l->count++] = e;
    else
        drop(&e);
    free(simple);
}
struct edit_part edit_part_of(const struct source *s, struct range r, const char *text) {
    return (struct edit_part){source_begin(s, r), source_end(s, r) - source_begin(s, r), (char *)text};
}
static char *printed(const char *format, va_list arguments) {
    char *text;
    return vasprintf(&text, format, arguments) < 0 ? strdup("") : text;
}
/* Returns whether the edit would turn `x = 0;` or `x = y = 0;` into `x = x;`. Such an edit only deletes the
 * statement. */
static bool assigns_itself(const struct source *s, struct range r, const char *text) {
    const int32_t self = s->token[r.first].statement;
    const bool constant = s->token[r.last].kind == TOKEN_NUMBER && (r.first == r.last || source_has(s, r, "="));
    if (self < 0 || !constant || !source_is(s, r.first - 1, "=") || !source_is(s, r.last + 1, ";")) return false;
    const struct range target = {s->statement[self].all.first, r.first - 2};
    const uint32_t from = source_begin(s, target), size = target.last < target.first ? 0 : source_end(s, target) - from;
    return size == strlen(text) && !memcmp(s->text + from, text, size);
}
/* Returns whether the edit would turn a comparison such as `n > 0` into a comparison of two constants. */
static bool compares_numbers(const struct source *s, struct range r, const char *text) {
    const bool number = isdigit((unsigned char)*text) && text[strspn(text, "0123456789")] == 0;
    return number && ((is_comparison(s, r.last + 1) && s->token[r.last + 2].kind == TOKEN_NUMBER &&
                       operand_before(s, r.last + 1).first ==
                           r.first) || /* a number that is the whole operand, unlike 8 in `i % 8 < 5` */
                      (is_comparison(s, r.first - 1) && s->token[r.first - 2].kind == TOKEN_NUMBER));
}
/* If the text is a single word, extends the range to the parentheses around it, because a word needs none. */
static struct range with_parentheses(const struct source *s, struct range r, const char *text) {
    size_t n = 0;
    while (is_word(text[n])) n++;
    const int32_t open = r.first - 1, before = r.first - 2, behind = r.last + 2;
    if (!n || text[n] || !source_is(s, open, "(") || s->token[open].match != r.last + 1 || r.first == r.last) return r;
    const bool operand =
                   s->token[before].kind == TOKEN_SIGN && !source_is(s, before, ")") && !source_is(s, before, "]"),
               ends = s->token[behind].kind == TOKEN_SIGN && !source_is(s, behind, "(");
    return operand && ends ? (struct range){open, r.last + 1} : r;
}
static bool is_type(const char *word, size_t n) {
    static const char *const types[] = {"unsigned", "int", "size_t", "float", "double", "value_t"};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (strlen(types[k]) == n && !strncmp(word, types[k], n)) return true;
    return false;
}
/* Removes unnecessary parentheses: around one word after an operator, as in `2 * (n)`, and around the whole text
 * between brackets, as in `x[(n / 2)]`. */
static void remove_parentheses(const struct source *s, struct range r, char *text) {
    for (char *open = strchr(text, '('); open; open = strchr(open + 1, '(')) {
        size_t n = 1;
        while (is_word(open[n]) || open[n] == '.') n++;
        const char *before = open, *next = open + n + 1;
        while (before > text && before[-1] == ' ') before--;
        if (n == 1 || open[n] != ')' || is_type(open + 1, n - 1) || (before > text && !strchr("*/%+-", before[-1])))
            continue;
        next += strspn(next, " ");
        if (is_word(*next) || *next == '(') continue; /* a cast */
        if (before == text && (!*next || !strchr("*/%", *next))) continue;
        memmove(open + n, open + n + 1, strlen(open + n + 1) + 1), memmove(open, open + 1, strlen(open + 1) + 1);
    }
    const size_t length = strlen(text);
    int32_t depth = 0;
    for (size_t k = 0; k + 1 < length; k++) {
        depth += (text[k] == '(') - (text[k] == ')');
        if (depth < 1) return;
    }
    if (length > 2 && source_is(s, r.first - 1, "[") && source_is(s, r.last + 1, "]") && text[length - 1] == ')')
        memmove(text, text + 1, length - 2), text[length - 2] = 0;
}
void edit_replace(struct edit_list *l, enum fix_cause cause, unsigned cost, struct range r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = printed(format, arguments);
    va_end(arguments);
    remove_parentheses(l->source, r, text);
    r = with_parentheses(l->source, r, text);
    const uint32_t at = source_begin(l->source, r);
    const unsigned count = l->count;
    if (!assigns_itself(l->source, r, text) && !compares_numbers(l->source, r, text))
        edit_add(l, cause, cost, r, &(struct edit_part){at, source_end(l->source, r) - at, text}, 1);
    if (l->count > count) l->item[count].rule = format;
    free(text);
}
void edit_insert(struct edit_list *l, enum fix_cause cause, unsigned cost, int32_t before, struct range quoted,
                 const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = printed(format, arguments);
    va_end(arguments);
    edit_add(l, cause, cost, quoted, &(struct edit_part){l->source->token[before].at, 0, text}, 1);
    free(text);
}
void edit_behind(struct edit_list *l, enum fix_cause cause, unsigned cost, int32_t at, const char *text) {
    const struct source *s = l->source;
    const struct statement *st = &s->statement[at];
    char own[3 * EXPRESSION_SIZE];
    snprintf(own, sizeof own, " %s", text);
    const int32_t from = st->kind == STATEMENT_BLOCK ? st->all.first : st->all.last;
    const struct edit_part part = {s->token[from].at + s->token[from].length, 0, own};
    const struct range quoted = st->kind == STATEMENT_PLAIN || st->kind == STATEMENT_BLOCK
                                    ? st->all
                                    : (struct range){st->all.first, st->condition.last + 1};
    const struct range brace = {from, from};
    const struct statement *above = st->parent < 0 ? NULL : &s->statement[st->parent];
    const bool branch = above && above->kind == STATEMENT_IF;
    const struct range head = branch ? (struct range){above->all.first, above->condition.last + 1} : brace;
    edit_add(l, cause, cost, st->kind == STATEMENT_BLOCK ? head : quoted, &part, 1);
}
char *edit_apply(const struct source *s, const struct edit *e) {
    char *out;
    size_t size;
    FILE *f = open_memstream(&out, &size);
    if (!f) return NULL;
    uint32_t at = 0;
    for (unsigned k = 0; k < e->parts; k++) {
        fwrite(s->text + at, 1, e->part[k].at - at, f);
        fputs(e->part[k].text, f);
        at = e->part[k].at + e->part[k].removed;
    }
    fputs(s->text + at, f);
    fclose(f);
    return out;
}
void edit_list_free(struct edit_list *l) {
    for (unsigned k = 0; k < l->count; k++) drop(&l->item[k]);
    free(l->item);
}

/* ---- what a lab has taught ---------------------------------------------------------------------------- */
static unsigned occurrences(const struct term *t, const char *text) {
    unsigned count = 0;
    for (const char *at = text; (at = term_in(t, at)); at += strlen(t->word)) count++;
    return count;
}
/* Returns how many occurrences of the term the edit adds, less those that it removes. */
static int added(const struct source *s, const struct edit *e, const struct term *t) {
    int more = 0;
    for (unsigned k = 0; k < e->parts; k++) {
        char *gone = strndup(s->text + e->part[k].at, e->part[k].removed);
        more += (int)occurrences(t, e->part[k].text) - (int)(gone ? occurrences(t, gone) : 0);
        free(gone);
    }
    return more;
}
bool edit_is_taught(const struct source *s, const struct edit *e, unsigned taught) {
    const struct fix_cause_words *words = &fix_causes[e->cause];
    bool known = terms_known_of(taught, words->meaning, s->text) && terms_known(taught, words->idea);
    for (const struct term *t = terms; t->word && known; t++) known = t->lab <= taught || added(s, e, t) <= 0;
    return known;
}
