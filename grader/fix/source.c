#include "fix/source.h"
#include "base/array.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens ----------------------------------------------------------------------------------- */
static bool add_token(struct source *s, enum token_kind kind, const char *from, const char *to, uint32_t line) {
    struct token *more = array_room(s->token, (size_t)s->tokens + 1, &s->room[0], sizeof *more);
    if (!more) return false;
    s->token = more;
    s->token[s->tokens++] = (struct token){.kind = kind,
                                           .at = (uint32_t)(from - s->text),
                                           .length = (uint32_t)(to - from),
                                           .line = line,
                                           .match = -1,
                                           .statement = -1};
    return true;
}
static const char *end_of_sign(const char *at) {
    static const char *const signs[] = {"<<=", ">>=", "...", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "++",
                                        "--",  "+=",  "-=",  "*=", "/=", "%=", "&=", "|=", "^=", "->", "::"};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
        if (!strncmp(at, signs[k], strlen(signs[k]))) return at + strlen(signs[k]);
    return at + 1;
}
static const char *end_of_text(const char *at) {
    const char quote = *at++;
    while (*at && *at != quote && *at != '\n') at += *at == '\\' && at[1] ? 2 : 1;
    return at + (*at == quote);
}
static const char *end_of_number(const char *at) {
    while (is_word(*at) || *at == '.' || ((*at == '+' || *at == '-') && (at[-1] == 'e' || at[-1] == 'E'))) at++;
    return at;
}
/* The state of nested #if directives. For a condition on SOLUTION, only one branch is kept; for other conditions, both
 * are. */
struct sides {
    bool solution;
    unsigned depth;
    struct {
        bool decides, out;
    } at[32];
};
static bool is_out(const struct sides *c) {
    for (unsigned k = 0; k < c->depth; k++)
        if (c->at[k].out) return true;
    return false;
}
static void directive(struct sides *c, const char *line) {
    line += strspn(line, "# \t");
    const bool negative = !strncmp(line, "ifndef", 6);
    if (!strncmp(line, "if", 2) && c->depth < 32) {
        const size_t n = strcspn(line, "\n");
        const bool decides = memmem(line, n, "SOLUTION", 8) != NULL;
        c->at[c->depth].decides = decides;
        c->at[c->depth++].out = decides && c->solution == negative;
    } else if (!strncmp(line, "el", 2) && c->depth && c->at[c->depth - 1].decides)
        c->at[c->depth - 1].out = !c->at[c->depth - 1].out;
    else if (!strncmp(line, "endif", 5) && c->depth)
        c->depth--;
    else if (!strncmp(line, "define SOLUTION", 15) && !is_out(c))
        c->solution = true;
}
static bool read_tokens(struct source *s, bool solution) {
    struct sides sides = {.solution = solution};
    uint32_t line = 1;
    bool fresh = true, ok = true; /* the line has only had whitespace so far */
    for (const char *at = s->text, *end; *at && ok; at = end) {
        end = at + 1;
        if (*at == '\n')
            line++, fresh = true;
        else if (*at == '#' && fresh) {
            directive(&sides, at);
            while (*end && (*end != '\n' || end[-1] == '\\')) line += *end++ == '\n';
        } else if (!strncmp(at, "//", 2))
            end = at + strcspn(at, "\n");
        else if (!strncmp(at, "/*", 2)) {
            const char *close = strstr(at + 2, "*/");
            end = close ? close + 2 : at + strlen(at);
            for (const char *c = at; c < end; c++) line += *c == '\n';
        } else if (!isspace((unsigned char)*at)) {
            fresh = false;
            const enum token_kind kind = isdigit((unsigned char)*at) ? TOKEN_NUMBER
                                         : is_word(*at)              ? TOKEN_NAME
                                         : *at == '"' || *at == '\'' ? TOKEN_TEXT
                                                                     : TOKEN_SIGN;
            if (kind == TOKEN_NAME)
                while (is_word(*end)) end++;
            else
                end = kind == TOKEN_NUMBER ? end_of_number(at) : kind == TOKEN_TEXT ? end_of_text(at) : end_of_sign(at);
            if (!is_out(&sides)) ok = add_token(s, kind, at, end, line);
        }
    }
    return ok;
}
void source_blank(char *text, bool solution) {
    struct sides sides = {.solution = solution};
    for (char *line = text, *end; *line; line = end + (*end == '\n')) {
        const char *first = line + strspn(line, " \t");
        bool gone = is_out(&sides);
        for (end = line; *end && (*end != '\n' || end[-1] == '\\');) end++;
        if (*first == '#') {
            const bool closes = sides.depth && sides.at[sides.depth - 1].decides &&
                                (!strncmp(first + 1, "el", 2) || !strncmp(first + 1, "endif", 5));
            directive(&sides, first);
            gone |= closes || !strncmp(first + 1, "pragma", 6) ||
                    (!strncmp(first + 1, "if", 2) && sides.depth && sides.at[sides.depth - 1].decides);
        }
        for (char *c = line; gone && c < end; c++)
            if (*c != '\n') *c = ' ';
    }
}
static bool match_brackets(struct source *s) {
    int32_t open[256];
    unsigned depth = 0;
    for (int32_t k = 0; k < s->tokens; k++) {
        const char c = s->text[s->token[k].at];
        if (s->token[k].kind != TOKEN_SIGN) continue;
        if (c == '(' || c == '[' || c == '{') {
            if (depth == 256) return false;
            open[depth++] = k;
        } else if (c == ')' || c == ']' || c == '}') {
            const char *const pair = "()[]{}";
            if (!depth || strchr(pair, s->text[s->token[open[depth - 1]].at])[1] != c) return false;
            s->token[k].match = open[--depth], s->token[open[depth]].match = k;
        }
    }
    return depth == 0;
}

/* ---- statements --------------------------------------------------------------------------------- */
bool source_is(const struct source *s, int32_t token, const char *text) {
    return token >= 0 && token < s->tokens && s->token[token].length == strlen(text) &&
           !memcmp(s->text + s->token[token].at, text, s->token[token].length);
}
bool source_is_atomic(const struct source *s, int32_t token) {
    static const char prefix[] = "atomic";
    const size_t length = sizeof prefix - 1;
    return token >= 0 && token < s->tokens && s->token[token].kind == TOKEN_NAME && s->token[token].length > length &&
           !strncmp(s->text + s->token[token].at, prefix, length);
}
int32_t source_token_at(const struct source *s, uint32_t byte) {
    int32_t from = 0, to = s->tokens;
    while (from < to) {
        const int32_t middle = from + (to - from) / 2;
        if (s->token[middle].at < byte)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}
/* Returns the next token from `from` to `last` with this text that is not in brackets, or -1. */
static int32_t find(const struct source *s, int32_t from, int32_t last, const char *text) {
    for (int32_t k = from; k <= last; k++) {
        if (source_is(s, k, text)) return k;
        if (s->token[k].match > k) k = s->token[k].match;
    }
    return -1;
}
static int32_t add_statement(struct source *s, struct statement in) {
    struct statement *more = array_room(s->statement, (size_t)s->statements + 1, &s->room[1], sizeof *more);
    if (!more) return -1;
    s->statement = more;
    s->statement[s->statements] = in;
    return s->statements++;
}
static int32_t read_statement(struct source *s, int32_t at, int32_t last, int32_t parent, int32_t function);
static void read_block(struct source *s, int32_t block, int32_t function) {
    const struct range all = s->statement[block].all;
    for (int32_t at = all.first + 1; at < all.last;) {
        const int32_t k = read_statement(s, at, all.last - 1, block, function);
        if (k < 0) return;
        at = s->statement[k].all.last + 1;
    }
}
static void read_header(struct source *s, int32_t self, struct range head) {
    struct statement *me = &s->statement[self];
    me->condition = head;
    if (me->kind != STATEMENT_FOR) return;
    const int32_t one = find(s, head.first, head.last, ";"), two = one < 0 ? -1 : find(s, one + 1, head.last, ";");
    if (two < 0) return;
    me->begin = (struct range){head.first, one - 1}, me->condition = (struct range){one + 1, two - 1};
    me->step = (struct range){two + 1, head.last};
}
/* Reads `do body while (condition);`. */
static int32_t read_do(struct source *s, struct statement in, int32_t last) {
    in.kind = STATEMENT_DO;
    const int32_t self = add_statement(s, in);
    if (self < 0) return -1;
    const int32_t body = read_statement(s, in.all.first + 1, last, self, in.function);
    if (body < 0) return -1;
    const int32_t word = s->statement[body].all.last + 1, open = word + 1;
    if (!source_is(s, word, "while") || !source_is(s, open, "(") || !source_is(s, s->token[open].match + 1, ";"))
        return -1;
    s->statement[self].body = body;
    s->statement[self].condition = (struct range){open + 1, s->token[open].match - 1};
    s->statement[self].all.last = s->token[open].match + 1;
    return self;
}
/* Returns the token behind a label, such as `again:` or `case 0:`, or behind `switch (...)`. Returns `at` if the
 * statement there has none. */
static int32_t behind_label(const struct source *s, int32_t at, int32_t last) {
    if (source_is(s, at, "switch") && source_is(s, at + 1, "(")) return s->token[at + 1].match + 1;
    int32_t colon = at + 1;
    while (source_is(s, at, "case") && colon < last && !source_is(s, colon, ":")) colon++;
    return s->token[at].kind == TOKEN_NAME && source_is(s, colon, ":") ? colon + 1 : at;
}
/* Reads the statement at token `at`. Returns -1 if it cannot be parsed. */
static int32_t read_statement(struct source *s, int32_t at, int32_t last, int32_t parent, int32_t function) {
    static const struct {
        const char *word;
        enum statement_kind kind;
    } words[] = {{"if", STATEMENT_IF}, {"for", STATEMENT_FOR}, {"while", STATEMENT_WHILE}};
    const struct range none = {0, -1};
    struct statement in = {STATEMENT_PLAIN, {at, last}, none, none, none, parent, function, -1};
    if (at > last) return -1;
    const int32_t labeled = behind_label(s, at, last);
    if (labeled != at) return read_statement(s, labeled, last, parent, function);
    if (source_is(s, at, "{")) {
        in.kind = STATEMENT_BLOCK, in.all.last = s->token[at].match;
        const int32_t self = add_statement(s, in);
        if (self >= 0) read_block(s, self, function);
        return self;
    }
    for (unsigned k = 0; k < 3; k++) {
        if (!source_is(s, at, words[k].word) || !source_is(s, at + 1, "(")) continue;
        in.kind = words[k].kind;
        const int32_t self = add_statement(s, in), close = s->token[at + 1].match;
        if (self < 0) return -1;
        read_header(s, self, (struct range){at + 2, close - 1});
        const int32_t body = read_statement(s, close + 1, last, self, function);
        if (body < 0) return -1;
        s->statement[self].body = body;
        int32_t end = s->statement[body].all.last;
        if (in.kind == STATEMENT_IF && end < last && source_is(s, end + 1, "else")) {
            const int32_t otherwise = read_statement(s, end + 2, last, self, function);
            if (otherwise < 0) return -1;
            end = s->statement[otherwise].all.last;
        }
        s->statement[self].all.last = end;
        return self;
    }
    if (source_is(s, at, "do")) return read_do(s, in, last);
    const int32_t end = find(s, at, last, ";");
    if (end < 0) return -1;
    in.all.last = end;
    if (source_is(s, at, "return")) in.kind = STATEMENT_RETURN;
    return add_statement(s, in);
}
static bool read_function(struct source *s, int32_t open, int32_t body, bool is_kernel) {
    struct function *more = array_room(s->function, (size_t)s->functions + 1, &s->room[2], sizeof *more);
    if (!more) return false;
    s->function = more;
    const int32_t self = s->functions++;
    s->function[self] = (struct function){{open - 1, open - 1}, {open + 1, s->token[open].match - 1}, -1, is_kernel};
    const int32_t block = read_statement(s, body, s->token[body].match, -1, self);
    s->function[self].body = block;
    return block >= 0;
}
/* Returns the parenthesis that ends a function's parameters before its body at token `open`, or -1. */
static int32_t parameters_before(const struct source *s, int32_t open) {
    int32_t close = open - 1;
    while (close > 1 && (source_is(s, close, "const") || source_is(s, close, "noexcept"))) close--;
    if (close < 2 || !source_is(s, close, ")")) return -1;
    const int32_t name = s->token[close].match - 1;
    /* A constructor's list of members comes before its body. */
    return name > 0 && (source_is(s, name - 1, ":") || source_is(s, name - 1, ",")) ? -1 : close;
}
/* Returns whether the brace begins the members of a struct, which may be functions. */
static bool begins_members(const struct source *s, int32_t open) {
    for (int32_t k = open - 1; k >= 0; k--) {
        if (source_is(s, k, ";") || source_is(s, k, "{") || source_is(s, k, "}") || source_is(s, k, "=")) return false;
        if (source_is(s, k, "struct") || source_is(s, k, "class")) return !source_is(s, k - 1, "enum");
    }
    return false;
}
static bool read_functions(struct source *s) {
    bool is_kernel = false;
    for (int32_t k = 0; k < s->tokens; k++) {
        if (source_is(s, k, "__global__")) is_kernel = true;
        if (source_is(s, k, ";")) is_kernel = false;
        if (!source_is(s, k, "{")) continue;
        const int32_t close = parameters_before(s, k);
        if (close >= 0) {
            if (!read_function(s, s->token[close].match, k, is_kernel)) return false;
            is_kernel = false;
            k = s->token[k].match;
        } else if (!begins_members(s, k) && (k < 1 || !source_is(s, k - 1, "}")))
            k = s->token[k].match; /* the braces of an enum or an initializer */
    }
    for (int32_t k = 0; k < s->statements; k++) /* inner statements come later, and overwrite outer ones */
        for (int32_t t = s->statement[k].all.first; t <= s->statement[k].all.last; t++) s->token[t].statement = k;
    return true;
}
bool source_parse(struct source *s, const char *text, bool solution) {
    *s = (struct source){.text = text};
    return read_tokens(s, solution) && match_brackets(s) && read_functions(s) &&
           (s->roles = calloc((size_t)s->functions + 1, sizeof *s->roles));
}
void source_free(struct source *s) { free(s->token), free(s->statement), free(s->function), free(s->roles); }

/* ---- queries ------------------------------------------------------------------------------------ */
bool source_same(const struct source *s, int32_t a, int32_t b) {
    return s->token[a].length == s->token[b].length &&
           !memcmp(s->text + s->token[a].at, s->text + s->token[b].at, s->token[a].length);
}
bool source_begins_line(const struct source *s, int32_t token) {
    return !token || s->token[token - 1].line < s->token[token].line;
}
uint32_t source_indentation(const struct source *s, int32_t token) {
    uint32_t at = s->token[token].at, width = 0;
    while (at > 0 && s->text[at - 1] != '\n') at--;
    for (; s->text[at] == ' ' || s->text[at] == '\t'; at++) width += s->text[at] == '\t' ? 4 : 1;
    return width;
}
bool source_has(const struct source *s, struct range r, const char *text) {
    for (int32_t k = r.first; k <= r.last; k++)
        if (source_is(s, k, text)) return true;
    return false;
}
uint32_t source_begin(const struct source *s, struct range r) { return s->token[r.first].at; }
uint32_t source_end(const struct source *s, struct range r) { return s->token[r.last].at + s->token[r.last].length; }
char *source_copy(const struct source *s, struct range r, char *out, size_t size) {
    out[0] = 0;
    if (r.last >= r.first)
        snprintf(out, size, "%.*s", (int)(source_end(s, r) - source_begin(s, r)), s->text + source_begin(s, r));
    return out;
}
bool source_shuffles(const struct source *s, struct range r) {
    for (int32_t k = r.first; k <= r.last; k++)
        if (!strncmp(s->text + s->token[k].at, "__shfl", 6)) return true;
    return false;
}
bool source_waits(const struct source *s, struct range r) {
    bool waits = source_has(s, r, "__syncthreads");
    for (int32_t f = 0; f < s->functions && !waits; f++) {
        const struct function *other = &s->function[f];
        bool called = false;
        for (int32_t k = r.first; k <= r.last && !called; k++) called = source_same(s, k, other->name.first);
        waits = called && source_has(s, s->statement[other->body].all, "__syncthreads");
    }
    return waits;
}
static bool reaches(const struct source *s, const char *kernel, int32_t function, unsigned depth) {
    enum { MAX_DEPTH = 8 };
    const int32_t name = s->function[function].name.first;
    if (s->function[function].is_kernel) return source_is(s, name, kernel);
    for (int32_t other = 0; other < s->functions && depth < MAX_DEPTH; other++) {
        const struct range body = s->statement[s->function[other].body].all;
        bool calls = false;
        for (int32_t k = body.first; k < body.last && other != function && !calls; k++) calls = source_same(s, k, name);
        if (calls && reaches(s, kernel, other, depth + 1)) return true;
    }
    return false;
}
bool source_reaches(const struct source *s, const char *kernel, int32_t function) {
    return reaches(s, kernel, function, 0);
}
int32_t source_next(const struct source *s, int32_t at) {
    for (int32_t n = at + 1; at >= 0 && n < s->statements; n++)
        if (s->statement[n].parent == s->statement[at].parent &&
            s->statement[n].all.first == s->statement[at].all.last + 1)
            return n;
    return -1;
}
int32_t source_around(const struct source *s, int32_t statement, enum statement_kind kind) {
    while (statement >= 0 && s->statement[statement].kind != kind) statement = s->statement[statement].parent;
    return statement;
}
bool source_in_block(const struct source *s, int32_t statement) {
    const int32_t parent = s->statement[statement].parent;
    return parent >= 0 && s->statement[parent].kind == STATEMENT_BLOCK;
}
