/* See names.h. */
#include "fix/names.h"
#include <string.h>

struct range body_of(const struct source *s, int32_t function) {
    return s->statement[s->function[function].body].all;
}
void name_add(struct name_list *l, const char *name) {
    for (unsigned k = 0; k < l->count; k++)
        if (!strcmp(l->item[k], name)) return;
    if (l->count < MOST_NAMES) strcpy(l->item[l->count++], name);
}
static void add_name(struct name_list *l, const struct source *s, int32_t token) {
    char name[NAME_SIZE];
    name_add(l, source_copy(s, (struct range){token, token}, name, sizeof name));
}
static void read_parameters(const struct source *s, const struct function *f, struct names *out) {
    for (int32_t k = f->parameters.first; k <= f->parameters.last;) {
        int32_t end = k;
        while (end <= f->parameters.last && !source_is(s, end, ",")) end++;
        const struct range one = {k, end - 1};
        if (one.last >= one.first && s->token[one.last].kind == TOKEN_NAME) {
            const bool pointer = source_has(s, one, "*"), constant = source_has(s, one, "const");
            if (pointer && f->is_kernel)
                add_name(constant ? &out->inputs : &out->outputs, s, one.last);
            else if (pointer && !constant)
                source_copy(s, (struct range){one.last, one.last}, out->shared, NAME_SIZE);
            else if (pointer)
                add_name(&out->inputs, s, one.last);
            else
                add_name(source_has(s, one, "value_t") ? &out->values : &out->counts, s, one.last);
        }
        k = end + 1;
    }
}
/* `NAME = initializer` of a declaration: what it holds. */
static void read_declared(const struct source *s, int32_t name, struct names *out) {
    char text[EXPRESSION_SIZE], copy[NAME_SIZE];
    int32_t end = name + 2;
    while (end < s->tokens && !source_is(s, end, ",") && !source_is(s, end, ";"))
        end = s->token[end].match > end ? s->token[end].match + 1 : end + 1;
    source_copy(s, (struct range){name + 2, end - 1}, text, sizeof text);
    source_copy(s, (struct range){name, name}, copy, sizeof copy);
    const size_t n = strlen(text);
    if (!strcmp(text, "threadIdx.x"))
        strcpy(out->thread, copy);
    else if (n > 4 && (!strcmp(text + n - 4, "% 32") || !strcmp(text + n - 4, "& 31")))
        strcpy(out->lane, copy);
    else if (n > 4 && !strncmp(text, "blockDim", 8))
        add_name(&out->counts, s, name);
    else if (n > 4 && (!strcmp(text + n - 4, "/ 32") || !strcmp(text + n - 4, ">> 5")))
        strcpy(out->warp, copy);
    else {
        if (strstr(text, "blockIdx")) strcpy(out->global, copy);
        add_name(&out->counts, s, name);
    }
}
static void read_locals(const struct source *s, struct range body, struct names *out) {
    for (int32_t k = body.first; k < body.last; k++) {
        const int32_t before = k - 1;
        if (s->token[k].kind != TOKEN_NAME || k == body.first) continue;
        const bool declared = source_is(s, before, "unsigned") || source_is(s, before, "int") ||
                              source_is(s, before, "size_t") || source_is(s, before, "uint32_t"),
                   listed = source_is(s, before, ",") && s->token[k].statement >= 0 &&
                            (source_is(s, s->statement[s->token[k].statement].all.first, "unsigned") ||
                             source_is(s, s->statement[s->token[k].statement].all.first, "int")),
                   shared =
                       source_is(s, k + 1, "[") && (source_is(s, k - 2, "__shared__") || source_is(s, k - 2, "extern"));
        const int32_t self = s->token[k].statement;
        const bool header = self >= 0 && s->statement[self].kind == STATEMENT_FOR;
        if (shared) source_copy(s, (struct range){k, k}, out->shared, NAME_SIZE);
        if ((declared || listed) && source_is(s, k + 1, "=") && !header) read_declared(s, k, out);
        if (source_is(s, before, "value_t") && (source_is(s, k + 1, "=") || source_is(s, k + 1, ";")))
            add_name(&out->values, s, k);
        if (source_is(s, before, "*") && source_is(s, k + 1, "=") && self >= 0 &&
            source_is(s, s->statement[self].all.first, "const"))
            add_name(&out->inputs, s, k);
        if ((source_is(s, before, "float") || source_is(s, before, "int") || source_is(s, before, "double")) &&
            source_is(s, k + 1, "=") && source_is(s, k + 2, "identity"))
            add_name(&out->values, s, k);
    }
}
static void read_constants(const struct source *s, struct names *out) {
    for (int32_t k = 0; k + 1 < s->tokens; k++) {
        if (!source_is(s, k, "enum") || !source_is(s, k + 1, "{")) continue;
        for (int32_t n = k + 2; n < s->token[k + 1].match; n++)
            if (source_is(s, n - 1, "{") || source_is(s, n - 1, ",")) add_name(&out->constants, s, n);
    }
}
void names_of(const struct source *s, int32_t function, struct names *out) {
    *out = (struct names){.counts.count = 0};
    read_constants(s, out);
    read_parameters(s, &s->function[function], out);
    read_locals(s, body_of(s, function), out);
}

bool knows_of_the_grid(const struct source *s, const struct names *names, int32_t function) {
    const struct range body = body_of(s, function);
    return s->function[function].is_kernel || names->inputs.count || source_has(s, body, "gridDim") ||
           source_has(s, body, "blockIdx");
}

/* ---- loops ---------------------------------------------------------------------------------------- */
char *loop_variable(const struct source *s, int32_t statement, char out[NAME_SIZE]) {
    const struct statement *f = &s->statement[statement];
    out[0] = 0;
    for (int32_t k = f->begin.first; k < f->begin.last && !out[0]; k++)
        if (s->token[k].kind == TOKEN_NAME && source_is(s, k + 1, "="))
            source_copy(s, (struct range){k, k}, out, NAME_SIZE);
    for (int32_t k = f->step.first; k <= f->step.last && !out[0]; k++)
        if (s->token[k].kind == TOKEN_NAME) source_copy(s, (struct range){k, k}, out, NAME_SIZE);
    return out;
}
int32_t loop_around(const struct source *s, int32_t statement, char out[NAME_SIZE]) {
    const int32_t loop = source_around(s, statement, STATEMENT_FOR);
    out[0] = 0;
    if (loop >= 0) loop_variable(s, loop, out);
    return loop;
}

/* ---- expressions -------------------------------------------------------------------------------------- */
bool is_comparison(const struct source *s, int32_t token) {
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
    for (unsigned k = 0; k < 6; k++)
        if (s->token[token].kind == TOKEN_SIGN && source_is(s, token, signs[k])) return true;
    return false;
}
static bool ends_operand(const struct source *s, int32_t token) {
    static const char *const signs[] = {"(", ")",  "[",  "]",  "{",  "}",  ";",  ",",      "?", ":",
                                        "=", "&&", "||", "+=", "-=", "*=", "/=", "return", "!"};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (source_is(s, token, signs[k])) return true;
    return is_comparison(s, token);
}
struct range operand_before(const struct source *s, int32_t op) {
    int32_t k = op - 1;
    for (; k >= 0; k--) {
        if (s->token[k].match >= 0 && s->token[k].match < k)
            k = s->token[k].match;
        else if (ends_operand(s, k))
            break;
    }
    return (struct range){k + 1, op - 1};
}
struct range operand_behind(const struct source *s, int32_t op) {
    int32_t k = op + 1;
    for (; k < s->tokens; k++) {
        if (s->token[k].match > k)
            k = s->token[k].match;
        else if (ends_operand(s, k))
            break;
    }
    return (struct range){op + 1, k - 1};
}
unsigned call_arguments(const struct source *s, int32_t token, struct range *arguments, unsigned most) {
    static const char *const words[] = {"for", "if", "while", "return", "sizeof"};
    if (s->token[token].kind != TOKEN_NAME || !source_is(s, token + 1, "(")) return 0;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (source_is(s, token, words[k])) return 0;
    const int32_t close = s->token[token + 1].match;
    unsigned count = 0;
    for (int32_t k = token + 2, from = k; k <= close; k++) {
        if (k == close || source_is(s, k, ",")) {
            if (count < most && k > from) arguments[count++] = (struct range){from, k - 1};
            from = k + 1;
        } else if (s->token[k].match > k)
            k = s->token[k].match;
    }
    return count;
}
bool is_array_access(const struct source *s, int32_t open) {
    return source_is(s, open, "[") && open > 1 && s->token[open - 1].kind == TOKEN_NAME &&
           !source_is(s, open - 2, "value_t") && !source_is(s, open - 2, "bool") && !source_is(s, open - 2, "vector");
}

/* ---- causes --------------------------------------------------------------------------------------------- */
static bool within(struct range r, int32_t token) { return token >= r.first && token <= r.last; }
/* The innermost bracket around the token, of its statement; -1. */
static int32_t bracket_around(const struct source *s, int32_t token, int32_t first) {
    for (int32_t k = token - 1; k >= first; k--)
        if (s->token[k].match > token) return k;
    return -1;
}
static bool names_count(const struct source *s, struct range r) {
    return source_has(s, r, "n") || source_has(s, r, "count") || source_has(s, r, "end") || source_has(s, r, "warps") ||
           source_has(s, r, "vectors") || source_has(s, r, "head");
}
/* Of an operator on pairs {value, index}; FIX_CAUSES: it is about none. */
static enum fix_cause cause_of_pair(const struct source *s, struct range r) {
    if (source_has(s, r, "index")) return FIX_TIE;
    for (int32_t k = r.first; k <= r.last; k++) {
        const char *text = s->text + s->token[k].at;
        if (s->token[k].kind == TOKEN_NAME && (!strncmp(text, "nan", 3) || !strncmp(text, "isnan", 5))) return FIX_NAN;
    }
    return source_has(s, r, "value") ? FIX_COMBINE : FIX_CAUSES;
}
static enum fix_cause cause_of_condition(const struct source *s, struct range r) {
    const enum fix_cause pair = cause_of_pair(s, r);
    if (source_has(s, r, "last") || source_has(s, r, "ticket")) return FIX_TICKET;
    if (pair != FIX_CAUSES) return pair;
    return names_count(s, r) ? FIX_GUARD : FIX_WHICH_THREADS;
}
/* Does it set what a loop around it goes on by? */
static bool is_of_a_loop(const struct source *s, const struct statement *st) {
    const int32_t loop = source_around(s, st->parent, STATEMENT_FOR), first = st->all.first;
    if (loop < 0 || !source_is(s, first + 1, "=")) return false;
    const struct range head = {s->statement[loop].begin.first, s->statement[loop].step.last};
    for (int32_t k = head.first; k <= head.last; k++)
        if (source_same(s, k, first)) return true;
    return false;
}
/* Is the value that holds the token what a loop's condition is compared with: `i < vectors`? */
static bool is_a_bound(const struct source *s, const struct statement *st, int32_t token) {
    int32_t equals = token;
    while (equals > st->all.first && !source_is(s, equals, "=")) equals--;
    for (int32_t k = 0; equals > st->all.first && k < s->statements; k++) {
        const struct statement *f = &s->statement[k];
        if (f->function == st->function && f->kind == STATEMENT_FOR && f->condition.last > f->condition.first &&
            is_comparison(s, f->condition.last - 1) && source_same(s, f->condition.last, equals - 1))
            return true;
    }
    return false;
}
enum fix_cause cause_at(const struct source *s, int32_t token) {
    const int32_t self = s->token[token].statement;
    if (self < 0) return FIX_TUNING;
    const struct statement *st = &s->statement[self];
    for (int32_t open = bracket_around(s, token, st->all.first); open > 0;
         open = bracket_around(s, open, st->all.first)) {
        if (is_array_access(s, open)) {
            const struct range r = {open, s->token[open].match};
            const bool stored = source_is(s, r.last + 1, "=") || source_is(s, r.last + 1, "+=");
            if (stored &&
                (source_is(s, open - 1, "partial") || source_is(s, open - 1, "total") || source_is(s, open - 1, "out")))
                return FIX_OUTPUT_PLACE;
            return FIX_INDEX;
        }
        struct range arguments[3];
        const unsigned n = call_arguments(s, open - 1, arguments, 3);
        char name[NAME_SIZE];
        source_copy(s, (struct range){open - 1, open - 1}, name, sizeof name);
        if (n && (!strncmp(name, "__shfl", 6) || !strncmp(name, "__syncwarp", 10)))
            return within(arguments[0], token) ? FIX_MASK : FIX_SHUFFLE;
    }
    if (st->kind == STATEMENT_FOR)
        return within(st->begin, token)       ? FIX_LOOP_START
               : within(st->condition, token) ? FIX_LOOP_BOUND
                                              : FIX_LOOP_STEP;
    if (st->kind == STATEMENT_IF || st->kind == STATEMENT_WHILE) return cause_of_condition(s, st->condition);
    if (source_has(s, st->all, "atomicAdd")) return FIX_TICKET;
    if (source_has(s, st->all, "?"))
        return cause_of_pair(s, st->all) != FIX_CAUSES ? cause_of_pair(s, st->all) : FIX_GUARD;
    if (source_has(s, st->all, "nan_a")) return FIX_NAN;
    if (source_has(s, st->all, "/") && source_has(s, st->all, "gridDim")) return FIX_CHUNK;
    if (is_of_a_loop(s, st)) return FIX_LOOP_STEP;
    if (is_a_bound(s, st, token)) return FIX_LOOP_BOUND;
    if (source_has(s, st->all, "blockIdx") || source_has(s, st->all, "gridDim")) return FIX_BLOCK_INDEX;
    return FIX_INDEX;
}
