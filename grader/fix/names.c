#include "fix/names.h"
#include "fix/loops.h"
#include "fix/roles.h"
#include <string.h>

struct range body_of(const struct source *s, int32_t function) {
    return s->statement[s->function[function].body].all;
}
bool name_is_in(const struct name_list *l, const char *name) {
    for (unsigned k = 0; k < l->count; k++)
        if (!strcmp(l->item[k], name)) return true;
    return false;
}
void name_add(struct name_list *l, const char *name) {
    if (name_is_in(l, name)) return;
    if (l->count < MAX_NAMES) strcpy(l->item[l->count++], name);
}
bool is_listed(const struct source *s, int32_t token, const struct name_list *l) {
    for (unsigned k = 0; k < l->count; k++)
        if (source_is(s, token, l->item[k])) return true;
    return false;
}
bool is_integer_type(const struct source *s, int32_t token) {
    static const char *const types[] = {"unsigned", "int",     "size_t",   "long",    "short",    "char",    "auto",
                                        "uint32_t", "int32_t", "uint64_t", "int64_t", "uint16_t", "int16_t", "uint"};
    for (size_t k = 0; k < sizeof types / sizeof *types; k++)
        if (source_is(s, token, types[k])) return true;
    return false;
}
bool declares_module_variable(const struct source *s, int32_t token) {
    if (s->token[token].statement >= 0 || s->token[token].kind != TOKEN_NAME) return false;
    if (!source_is(s, token + 1, ";") && !source_is(s, token + 1, "=") && !source_is(s, token + 1, "[")) return false;
    int32_t k = token - 1;
    while (k >= 0 && s->token[k].kind == TOKEN_NAME && !source_is(s, k, "__device__")) k--;
    return k >= 0 && source_is(s, k, "__device__");
}
bool is_module_variable(const struct source *s, int32_t name) {
    for (int32_t k = 1; k + 1 < s->tokens; k++)
        if (source_same(s, k, name) && declares_module_variable(s, k)) return true;
    return false;
}
/* Returns the first token of the declaration or statement that contains the token. */
static int32_t beginning(const struct source *s, int32_t token) {
    const int32_t self = s->token[token].statement;
    if (self < 0) return token;
    const struct statement *st = &s->statement[self];
    return st->kind == STATEMENT_FOR ? st->begin.first : st->all.first;
}
static bool is_type_name(const struct source *s, int32_t token) {
    static const char *const words[] = {"return", "else", "do", "goto", "case", "sizeof", "break", "continue"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (source_is(s, token, words[k])) return false;
    return s->token[token].kind == TOKEN_NAME;
}
/* Returns whether the token may be part of a template argument such as `const int4 *` or `SIZE / 32`. */
static bool is_template_argument(const struct source *s, int32_t token) {
    static const char *const signs[] = {"*", "/", "+", "-", ",", "::"};
    if (s->token[token].kind != TOKEN_SIGN) return true;
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (source_is(s, token, signs[k])) return true;
    return false;
}
/* Returns whether the < or > encloses the template arguments of a call or type, as in `f<32>(x)`
 * or `tile<float> x`. */
static bool is_template_bracket(const struct source *s, int32_t token) {
    int32_t open = token, end = token;
    if (!source_is(s, token, "<") && !source_is(s, token, ">")) return false;
    while (open > 0 && source_is(s, token, ">") && is_template_argument(s, open - 1)) open--;
    open -= source_is(s, token, ">");
    while (end + 1 < s->tokens && source_is(s, token, "<") && is_template_argument(s, end + 1)) end++;
    end += source_is(s, token, "<");
    return open > 0 && end + 1 < s->tokens && source_is(s, open, "<") && s->token[open - 1].kind == TOKEN_NAME &&
           source_is(s, end, ">") &&
           (source_is(s, end + 1, "(") || source_is(s, end + 1, "::") || s->token[end + 1].kind == TOKEN_NAME);
}
bool is_declared(const struct source *s, int32_t token) {
    const int32_t first = beginning(s, token);
    if (token <= first || s->token[token].kind != TOKEN_NAME) return false;
    int32_t before = token - 1;
    while (before > first && (source_is(s, before, "*") || source_is(s, before, "&"))) before--;
    if (before > first && source_is(s, before, ">") && is_template_bracket(s, before)) return true;
    /* `a * b` is a product, but `T *a` at the start of a statement is a declaration. */
    bool types = before == token - 1 || is_type_name(s, first);
    for (int32_t k = first; k <= before && before != token - 1; k++) types &= is_type_name(s, k);
    if (is_type_name(s, before) && types) return true;
    for (int32_t k = first; k < token; k++)
        if (s->token[k].match > token) return false; /* the name is an argument, as in `int a = min(b, token);` */
    return source_is(s, token - 1, ",") && is_type_name(s, first) &&
           (is_type_name(s, first + 1) || source_is(s, first + 1, "*"));
}
static void add_name(struct name_list *l, const struct source *s, int32_t token) {
    char name[NAME_SIZE];
    name_add(l, source_copy(s, range_of(token), name, sizeof name));
}
static void read_parameters(const struct source *s, const struct function *f, struct names *out) {
    for (int32_t k = f->parameters.first; k <= f->parameters.last;) {
        int32_t end = k;
        while (end <= f->parameters.last && !source_is(s, end, ",")) end++;
        const struct range one = {k, end - 1};
        if (one.last >= one.first && s->token[one.last].kind == TOKEN_NAME) {
            const bool pointer = source_has(s, one, "*"), constant = source_has(s, one, "const");
            if (pointer && source_has(s, one, "value_t")) add_name(&out->pointers, s, one.last);
            if (pointer && f->is_kernel)
                add_name(constant ? &out->inputs : &out->outputs, s, one.last);
            else if (pointer && !constant)
                source_copy(s, range_of(one.last), out->shared, NAME_SIZE);
            else if (pointer)
                add_name(&out->inputs, s, one.last);
            else {
                add_name(source_has(s, one, "value_t") ? &out->values : &out->counts, s, one.last);
                if (source_is(s, one.last, "lane")) strcpy(out->lane, "lane"); /* the skeletons use this name */
            }
        }
        k = end + 1;
    }
}
/* Returns whether the range ends with the operator and the number of lanes, as in `t % 32`. For %, `& 31` counts,
 * too. */
static bool ends_with_lanes(const struct source *s, struct range r, const char *operator) {
    const bool less = source_is(s, r.last, ")") && source_is(s, r.last - 1, "1") && source_is(s, r.last - 2, "-"),
               all = source_is(s, r.last, "31") || (less && is_warp_size(s, r.last - 3));
    if (source_is(s, r.last - 1, operator)) return is_warp_size(s, r.last);
    return *operator== '%' && all && source_is(s, less ? r.last - 5 : r.last - 1, "&");
}
/* Records a name declared as `NAME = initializer` according to its initializer. */
static void read_declared(const struct source *s, int32_t name, struct names *out) {
    char text[EXPRESSION_SIZE], copy[NAME_SIZE];
    int32_t end = name + 2;
    while (end < s->tokens && !source_is(s, end, ",") && !source_is(s, end, ";"))
        end = s->token[end].match > end ? s->token[end].match + 1 : end + 1;
    source_copy(s, (struct range){name + 2, end - 1}, text, sizeof text);
    source_copy(s, range_of(name), copy, sizeof copy);
    const size_t n = strlen(text);
    /* `(n + 31) / 32` is a chunk for each lane, not the index of a warp. */
    const bool of_thread = !(roles_in(s, (struct range){name + 2, end - 1}) & ROLE_SIZE);
    if (!strcmp(text, "threadIdx.x"))
        strcpy(out->thread, copy);
    else if (n > 4 && ends_with_lanes(s, (struct range){name + 2, end - 1}, "%"))
        strcpy(out->lane, copy);
    else if (n > 4 && !strncmp(text, "blockDim", 8))
        add_name(&out->counts, s, name);
    else if (of_thread && n > 4 &&
             (ends_with_lanes(s, (struct range){name + 2, end - 1}, "/") || !strcmp(text + n - 4, ">> 5")))
        strcpy(out->warp, copy);
    else {
        if (strstr(text, "blockIdx")) strcpy(out->global, copy);
        add_name(&out->counts, s, name);
    }
}
bool is_integer(const struct source *s, int32_t name) {
    for (int32_t k = beginning(s, name); k < name && s->token[k].kind == TOKEN_NAME; k++)
        if (is_integer_type(s, k)) return !source_is(s, name - 1, "*");
    return false;
}
/* Returns whether the token is the name of a struct that the file defines. */
static bool is_struct(const struct source *s, int32_t name) {
    for (int32_t k = 0; k + 1 < s->tokens; k++)
        for (int32_t n = k + 1; source_is(s, k, "struct") && n < s->tokens && !source_is(s, n, "{"); n++)
            if (source_same(s, n, name) && source_is(s, n + 1, "{")) return true;
    return false;
}
static void read_locals(const struct source *s, struct range body, struct names *out) {
    for (int32_t k = body.first; k < body.last; k++) {
        const int32_t before = k - 1;
        if (s->token[k].kind != TOKEN_NAME || k == body.first) continue;
        const bool declared = is_declared(s, k) && is_integer(s, k),
                   shared =
                       source_is(s, k + 1, "[") && (source_is(s, k - 2, "__shared__") || source_is(s, k - 2, "extern"));
        const int32_t self = s->token[k].statement;
        const bool header = self >= 0 && s->statement[self].kind == STATEMENT_FOR;
        if (shared) source_copy(s, range_of(k), out->shared, NAME_SIZE);
        if (source_is(s, k - 2, "__shared__") && (source_is(s, k - 1, "bool") || source_is(s, k - 1, "int")))
            add_name(&out->flags, s, k);
        if (source_is(s, k - 1, "value_t") ? shared : source_is(s, k - 2, "value_t") && source_is(s, k - 1, "*"))
            add_name(&out->pointers, s, k);
        if (declared && source_is(s, k + 1, "=") && !header) read_declared(s, k, out);
        if (source_is(s, before, "value_t") && (source_is(s, k + 1, "=") || source_is(s, k + 1, ";")))
            add_name(&out->values, s, k);
        if (source_is(s, before, "*") && source_is(s, k + 1, "=") && self >= 0 &&
            source_is(s, s->statement[self].all.first, "const"))
            add_name(is_struct(s, before - 1) ? &out->vectors : &out->inputs, s, k);
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

bool uses_grid(const struct source *s, const struct names *names, int32_t function) {
    const struct range body = body_of(s, function);
    return s->function[function].is_kernel || names->inputs.count || source_has(s, body, "gridDim") ||
           source_has(s, body, "blockIdx");
}

/* ---- expressions -------------------------------------------------------------------------------------- */
bool is_comparison(const struct source *s, int32_t token) {
    static const char *const signs[] = {"<", "<=", ">", ">=", "==", "!="};
    for (unsigned k = 0; k < 6; k++)
        if (s->token[token].kind == TOKEN_SIGN && source_is(s, token, signs[k])) return !is_template_bracket(s, token);
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
bool draws_ticket(const struct source *s, int32_t token) {
    return source_is(s, token, "atomicAdd") || source_is(s, token, "atomicInc");
}
bool has_draw(const struct source *s, struct range r) {
    for (int32_t k = r.first; k <= r.last; k++)
        if (draws_ticket(s, k)) return true;
    return false;
}
bool is_array_access(const struct source *s, int32_t open) {
    return source_is(s, open, "[") && open > 1 && s->token[open - 1].kind == TOKEN_NAME &&
           !source_is(s, open - 2, "value_t") && !source_is(s, open - 2, "bool") && !source_is(s, open - 2, "vector");
}

bool index_in_array(const struct source *s, int32_t open, char *out, size_t size) {
    char first[EXPRESSION_SIZE], index[EXPRESSION_SIZE];
    for (int32_t k = open - 2; k > 1 && s->token[k].statement >= 0; k--) {
        if (!source_same(s, k, open - 1) || !source_is(s, k - 1, "*") || !source_is(s, k + 1, "=")) continue;
        const struct range value = operand_behind(s, k + 1);
        if (!is_declared(s, k) || !source_is(s, value.first + 1, "+")) return false;
        source_copy(s, (struct range){value.first + 2, value.last}, first, sizeof first);
        source_copy(s, (struct range){open + 1, s->token[open].match - 1}, index, sizeof index);
        return snprintf(out, size, "%s + %s", first, index) < (int)size;
    }
    return false;
}
bool is_same_text(const struct source *s, struct range a, struct range b) {
    bool same = a.last >= a.first && a.last - a.first == b.last - b.first;
    for (int32_t k = a.first; same && k <= a.last; k++) same = source_same(s, k, b.first + k - a.first);
    return same;
}
unsigned renamed(const struct source *s, struct range r, struct range old, const char *other, char *out, size_t size) {
    unsigned count = 0;
    size_t n = 0;
    for (int32_t k = r.first; k <= r.last; k++) {
        const struct range here = {k, k + old.last - old.first};
        const bool is_it = here.last <= r.last && is_same_text(s, here, old) && !source_is(s, k - 1, ".") &&
                           !source_is(s, here.last + 1, ".");
        const struct token *t = &s->token[k];
        const uint32_t gap = k > r.first ? t->at - s->token[k - 1].at - s->token[k - 1].length : 0;
        const size_t length = is_it ? strlen(other) : t->length;
        if (n + gap + length + 1 >= size) return 0;
        memcpy(out + n, s->text + t->at - gap, gap), n += gap;
        memcpy(out + n, is_it ? other : s->text + t->at, length), n += length;
        if (is_it) count++, k = here.last;
        out[n] = 0;
    }
    return count;
}
int32_t function_called(const struct source *s, int32_t name) {
    for (int32_t f = 0; f < s->functions; f++)
        if (source_same(s, s->function[f].name.first, name)) return f;
    return -1;
}
struct range parameter_of(const struct source *s, int32_t function, unsigned number) {
    const struct range p = s->function[function].parameters;
    unsigned at = 0;
    for (int32_t k = p.first, begin = p.first; k <= p.last + 1 && p.last >= p.first; k++) {
        if (k <= p.last && !source_is(s, k, ",")) continue;
        if (at++ == number) return (struct range){begin, k - 1};
        begin = k + 1;
    }
    return (struct range){0, -1};
}
bool is_value(const struct source *s, const struct names *names, struct range r) {
    for (int32_t k = r.first; k <= r.last; k++) {
        if (is_array_access(s, k) || source_is(s, k, "combine")) return true;
        if (is_listed(s, k, &names->values)) return true;
        if (s->token[k].match > k) k = s->token[k].match;
    }
    return false;
}
/* Returns whether the range computes the number of elements per block or warp, as in `n / gridDim.x` or `n / 32`. */
bool is_a_chunk(const struct source *s, struct range r) {
    for (int32_t k = r.first + 1; k < r.last; k++)
        if (source_is(s, k, "/") && (source_is(s, k + 1, "gridDim") || source_is(s, k + 1, "32")) &&
            roles_in(s, r) & ROLE_SIZE && !source_has(s, r, "blockDim"))
            return true;
    return false;
}

/* ---- causes --------------------------------------------------------------------------------------------- */
/* Returns the innermost bracket around the token, at or after token `first`, or -1. */
static int32_t bracket_around(const struct source *s, int32_t token, int32_t first) {
    for (int32_t k = token - 1; k >= first; k--)
        if (s->token[k].match > token) return k;
    return -1;
}
static bool has_member(const struct source *s, struct range r, const char *name) {
    for (int32_t k = r.first; k <= r.last; k++)
        if (source_is(s, k, name) && source_is(s, k - 1, ".")) return true;
    return false;
}
/* Returns the cause to report for an operator in code for pairs {value, index}. Returns FIX_CAUSES if the range does
 * not use pairs. */
static enum fix_cause cause_of_pair(const struct source *s, struct range r) {
    if (has_member(s, r, "index")) return FIX_TIE;
    for (int32_t k = r.first; k <= r.last; k++) {
        const char *text = s->text + s->token[k].at;
        if (s->token[k].kind == TOKEN_NAME && (!strncmp(text, "nan", 3) || !strncmp(text, "isnan", 5))) return FIX_NAN;
        if ((source_is(s, k, "!=") || source_is(s, k, "==")) &&
            is_same_text(s, operand_before(s, k), operand_behind(s, k)))
            return FIX_NAN;
    }
    return has_member(s, r, "value") ? FIX_COMBINE : FIX_CAUSES;
}
struct range conjunct_of(const struct source *s, struct range r, int32_t token) {
    struct range own = {token, token};
    while (own.first > r.first && !source_is(s, own.first - 1, "&&") && !source_is(s, own.first - 1, "||")) own.first--;
    while (own.last < r.last && !source_is(s, own.last + 1, "&&") && !source_is(s, own.last + 1, "||")) own.last++;
    return own;
}
/* Returns whether the range depends on the thread: it contains a thread index, an element, or a parameter such as
 * `lane` that may be a thread index. */
bool depends_on_the_thread(const struct source *s, struct range r) {
    const int32_t self = s->token[r.first].statement;
    if (self < 0 || roles_in(s, r) & ROLE_THREAD) return true;
    const struct function *f = &s->function[s->statement[self].function];
    for (int32_t k = r.first; k <= r.last; k++) {
        if (source_is(s, k, "[")) return true;
        for (int32_t p = f->parameters.first; p <= f->parameters.last && !f->is_kernel; p++)
            if (source_same(s, p, k) && s->token[k].kind == TOKEN_NAME) return true;
    }
    return false;
}
bool is_of_half_a_warp(const struct source *s, int32_t statement) {
    const int32_t branch = statement < 0 ? -1 : source_around(s, statement, STATEMENT_IF);
    if (branch < 0) return false;
    const struct range condition = s->statement[branch].condition;
    return source_has(s, condition, "16") || (source_has(s, condition, "warpSize") && source_has(s, condition, "2"));
}
static enum fix_cause cause_of_condition(const struct source *s, struct range all, int32_t token) {
    const struct range r = conjunct_of(s, all, token);
    const enum fix_cause pair = cause_of_pair(s, r);
    const unsigned roles = roles_in(s, r);
    if (roles & ROLE_TICKET) return FIX_TICKET;
    if (pair != FIX_CAUSES) return pair;
    const bool of_thread = depends_on_the_thread(s, r);
    if (roles & ROLE_SIZE && (of_thread || roles & ROLE_BLOCK || source_has(s, r, "n"))) return FIX_GUARD;
    return of_thread ? FIX_WHICH_THREADS : FIX_CONDITION;
}
/* Returns whether the array, or the target of `*p = ...`, is a kernel's output. */
static bool is_output(const struct source *s, int32_t function, int32_t name) {
    const struct range p = s->function[function].parameters;
    for (int32_t k = p.first; s->function[function].is_kernel && k <= p.last; k++)
        if (source_same(s, k, name) && source_is(s, k - 1, "*")) return !source_is(s, k - 3, "const");
    return false;
}
/* Returns whether this is the name of an integer that the module declares, such as the number of tickets drawn. */
static bool is_counter(const struct source *s, int32_t name) {
    for (int32_t k = 1; k < s->tokens; k++)
        if (source_same(s, k, name) && declares_module_variable(s, k)) return is_integer_type(s, k - 1);
    return false;
}
/* Returns whether the range only resets a variable of the module to 0. */
static bool sets_back(const struct source *s, struct range r) {
    if (source_is(s, r.first, "{")) r.first++, r.last--;
    const bool only = r.last - r.first == 3 && source_is(s, r.first + 1, "=") && source_is(s, r.first + 2, "0");
    return only && is_counter(s, r.first);
}
/* Returns the part of a declaration such as `a = 1, b = 2` that contains the token. */
static struct range declarator_of(const struct source *s, struct range all, int32_t token) {
    struct range own = {all.first, all.last};
    for (int32_t k = all.first; k <= all.last; k++) {
        if (source_is(s, k, ",") && k < token) own.first = k + 1;
        if (source_is(s, k, ",") && k > token) return own.last = k - 1, own;
        if (s->token[k].match > k) k = s->token[k].match;
    }
    return own;
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
            if (stored && is_output(s, st->function, open - 1)) return FIX_OUTPUT_PLACE;
            return FIX_INDEX;
        }
        struct range arguments[3];
        const unsigned n = call_arguments(s, open - 1, arguments, 3);
        char name[NAME_SIZE];
        source_copy(s, range_of(open - 1), name, sizeof name);
        const enum fix_cause argument = n ? cause_of_argument(s, open - 1, token) : FIX_CAUSES;
        if (argument != FIX_CAUSES) return argument;
        if (n && (!strncmp(name, "__shfl", 6) || !strncmp(name, "__syncwarp", 10)))
            return range_holds(arguments[0], token) ? FIX_MASK : FIX_SHUFFLE;
        const bool atomic = n && !strncmp(name, "atomic", 6) && range_holds(arguments[0], token);
        for (int32_t k = arguments[0].first; atomic && k <= arguments[0].last; k++)
            if (is_output(s, st->function, k)) return FIX_OUTPUT_PLACE;
    }
    const enum fix_cause loop = cause_of_loop(s, token);
    if (st->kind == STATEMENT_IF && st->body >= 0 && sets_back(s, s->statement[st->body].all)) return FIX_RESET;
    if (st->kind == STATEMENT_IF) return cause_of_condition(s, st->condition, token);
    if (loop != FIX_CAUSES && st->kind != STATEMENT_PLAIN) return loop;
    if (source_is(s, st->all.first + 1, "=") && is_counter(s, st->all.first)) return FIX_RESET;
    if (has_draw(s, st->all) || roles_in(s, st->all) & ROLE_TICKET) return FIX_TICKET;
    if (source_has(s, st->all, "?"))
        return cause_of_pair(s, st->all) != FIX_CAUSES ? cause_of_pair(s, st->all) : FIX_GUARD;
    if (source_has(s, st->all, "nan_a")) return FIX_NAN;
    if (st->kind == STATEMENT_RETURN && cause_of_pair(s, st->all) == FIX_NAN) return FIX_NAN;
    if (is_a_chunk(s, st->all)) return FIX_CHUNK;
    if (loop != FIX_CAUSES) return loop;
    const struct range own = declarator_of(s, st->all, token);
    if (source_has(s, own, "blockIdx") || source_has(s, own, "gridDim")) return FIX_BLOCK_INDEX;
    if (source_has(s, own, "min") && roles_in(s, own) & ROLE_BLOCK)
        return FIX_CHUNK; /* the end of a chunk, at most n */
    return FIX_INDEX;
}
bool is_stored_before(const struct source *s, int32_t array) {
    const struct range body = body_of(s, s->statement[s->token[array].statement].function);
    for (int32_t k = body.first; k < array; k++)
        if (source_same(s, k, array) && is_array_access(s, k + 1) && source_is(s, s->token[k + 1].match + 1, "="))
            return true;
    return false;
}
bool runs_in_thread_0(const struct source *s, int32_t at) {
    const int32_t k = source_around(s, s->statement[at].parent, STATEMENT_IF);
    return k >= 0 && source_has(s, s->statement[k].condition, "==");
}
