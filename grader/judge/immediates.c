/* See immediates.h. This code scans lines instead of parsing PTX: ptx/ has already checked the text, and an extra
 * constant does no harm. */
#include "judge/immediates.h"
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All kernels run on up to FEW_BLOCKS blocks. MANY_BLOCKS is 2^16 blocks times the largest size of a value. */
enum { FEW_BLOCKS = 1 << 12, MANY_BLOCKS = 1 << 20 };

static bool is_mask(uint64_t x) { return (x & (x + 1)) == 0; }
/* Returns the lowest bit that a mask clears between bits that it keeps, or 0 if there is none. */
static uint64_t hole_of(uint64_t mask) {
    const uint64_t low = mask & -mask, carried = mask + low;
    return mask && !is_mask(mask / low) ? carried & -carried : 0;
}
static void add(struct immediates *out, uint64_t x) {
    unsigned at = 0;
    if (x < LEAST_IMMEDIATE || x > UINT32_C(1) << 31 || out->count == MAX_IMMEDIATES) return;
    while (at < out->count && out->at[at] < x) at++;
    if (at < out->count && out->at[at] == x) return;
    memmove(&out->at[at + 1], &out->at[at], (out->count - at) * sizeof *out->at);
    out->at[at] = (uint32_t)x;
    out->count++;
}
/* Adds the lowest bit that a mask clears between bits that it keeps. A mask of byte offsets also clears the lowest
 * bits. Shifted right by these bits, it is a mask of indices, whose cleared bit is added as well. */
static void add_holes(struct immediates *out, uint64_t mask) {
    const uint64_t element = mask & -mask;
    add(out, hole_of(mask));
    if (element > 1) add(out, hole_of(mask / element));
}
/* Instructions whose constants matter, by the start of their names. The source does not compute with other constants,
 * such as address offsets, names, and lane operands. */
static const struct {
    const char *word;
    bool sized;
} takers[] = {{"setp.", true}, {"set.", true}, {"add.", true}, {"sub.", true},  {"mul.", true}, {"mad.", true},
              {"and.", true},  {"rem.", true}, {"div.", true}, {"min.", true},  {"max.", true}, {"mov.", true},
              {"selp.", true}, {"atom", true}, {"red", true},  {"xor.", false}, {"or.", false}, {"fma.", false}};
static bool read_number(const char *s, const char **end, struct literal *l) {
    const bool single = !strncmp(s, "0f", 2), real = single || !strncmp(s, "0d", 2);
    char *stop;
    l->bits = real ? strtoull(s + 2, &stop, 16) : (uint64_t)strtoll(s, &stop, 10);
    l->kind = single ? LITERAL_F32 : real ? LITERAL_F64 : LITERAL_WHOLE;
    *end = stop;
    return stop != s && (*stop == ',' || *stop == ';');
}
/* Returns the end of the first function body after `at`: a closing brace at the beginning of a line. */
static const char *end_of_body(const char *at) {
    while ((at = strchr(at + 1, '}')) && at[-1] != '\n') continue;
    return at;
}
/* Returns the next `.func` or `.entry` after the line of `at`, or NULL. Skips function bodies, which are nearly the
 * whole text. */
static const char *next_head(const char *at) {
    while (at && (at = strchr(at, '\n'))) {
        const char *word = ++at;
        for (; *word == '.'; word += strcspn(word, " \n"), word += *word == ' ')
            if (!strncmp(word, ".func ", 6) || !strncmp(word, ".entry ", 7)) return word;
        if (*at == '{') at = end_of_body(at);
    }
    return NULL;
}
enum space { GLOBAL, CONST, SPACES };
static const char *const declarations[SPACES] = {[GLOBAL] = ".global .align ", [CONST] = ".const .align "};
/* The first and the last declaration of a variable in each space, or NULL. The heads of functions and kernels, and the
 * ends of their bodies. */
struct outline {
    const char *first[SPACES], *last[SPACES];
    unsigned count;
    struct function {
        const char *head, *end;
    } function[];
};
struct outline *outline_of(const char *ptx) {
    unsigned count = 0;
    for (const char *at = ptx; (at = next_head(at));) count++;
    struct outline *o = malloc(sizeof *o + count * sizeof *o->function);
    if (!o) return NULL;
    *o = (struct outline){.count = 0};
    for (enum space in = GLOBAL; in < SPACES; in++)
        for (const char *at = ptx; (at = strstr(at, declarations[in])); at++)
            o->last[in] = at, o->first[in] = o->first[in] ? o->first[in] : at;
    for (const char *at = ptx; (at = next_head(at));) o->function[o->count++] = (struct function){at, end_of_body(at)};
    return o;
}
/* Returns the next function from number *k on and advances *k past it. Skips all kernels except `symbol`. Returns NULL
 * if there is none. */
static const struct function *next_function(const struct outline *o, unsigned *k, const char *symbol) {
    const size_t n = strlen(symbol);
    while (*k < o->count) {
        const struct function *f = &o->function[(*k)++];
        const char *name = f->head + 7;
        if (!strncmp(f->head, ".func ", 6)) return f;
        if (!strncmp(name, symbol, n) && !isalnum((unsigned char)name[n]) && name[n] != '_') return f;
    }
    return NULL;
}
/* Returns whether the text contains the name as a whole word. */
static bool stands_at(const char *text, const char *end, const char *name, size_t n) {
    for (const char *at = text; (at = memmem(at, (size_t)(end - at), name, n)); at++)
        if (!strchr("_$", at[n]) && !isalnum((unsigned char)at[n]) && !isalnum((unsigned char)at[-1]) && at[-1] != '_')
            return true;
    return false;
}
/* A declaration of a variable: its name, the alignment in bytes, and its initial values, or NULL. */
struct variable {
    const char *name, *values;
    size_t length;
    unsigned align;
};
/* Finds the next declaration in a space that the kernel or a function uses. `at` is the last one, or NULL. Returns its
 * start, or NULL if there is none. */
static const char *next_variable(const struct outline *o, enum space in, const char *at, const char *symbol,
                                 struct variable *v) {
    at = !at ? o->first[in] : at < o->last[in] ? strstr(at + 1, declarations[in]) : NULL;
    for (; at; at = at < o->last[in] ? strstr(at + 1, declarations[in]) : NULL) {
        const size_t line = strcspn(at, ";=\n"), end = memchr(at, '[', line) ? strcspn(at, "[") : line;
        const char *name = at + end;
        while (name > at && isspace((unsigned char)name[-1])) name--;
        const char *behind = name;
        while (name > at && !isspace((unsigned char)name[-1])) name--;
        *v = (struct variable){name, at[line] == '=' ? at + line + 1 : NULL, (size_t)(behind - name),
                               (unsigned)strtoul(at + strlen(declarations[in]), NULL, 10)};
        if (*name == '$' || name == behind) continue;
        const struct function *f;
        for (unsigned k = 0; (f = next_function(o, &k, symbol));)
            if (f->end && stands_at(f->head, f->end, name, v->length)) return at;
    }
    return NULL;
}
static void take_size(struct immediates *to, const struct literal *l) {
    const uint64_t size = l->bits >> 63 ? -l->bits : l->bits;
    if (l->kind != LITERAL_WHOLE || !l->sized) return;
    const bool upper_bits = l->bits >> 63 && is_mask(size - 1) && size < UINT32_C(1) << 31; /* the mask -2^k */
    if (size > LARGE_IMMEDIATE && !l->compared && !l->added && !upper_bits) return;
    add(to, size);
    if (is_mask(size)) add(to, size + 1);
}
static void take_literal(struct literals *all, const struct literal *l) {
    unsigned k = 0;
    while (k < all->count && (all->at[k].bits != l->bits || all->at[k].kind != l->kind)) k++;
    if (k == MAX_LITERALS) return;
    if (k == all->count)
        all->at[all->count++] = *l;
    else
        all->at[k].compared |= l->compared, all->at[k].added |= l->added;
}
/* The bits of -INFINITY, which is identity() of a maximum. Compilers write them as an integer. */
enum { MINUS_INFINITY = -8388608 };
static void take(struct named *to, const struct literal *l, bool identity) {
    if (!identity) take_size(&to->integers, l);
    take_literal(&to->literals, l);
}
/* Takes the initial values of the variables that the kernel uses. PTX lists the values of arrays and structs as bytes,
 * which are joined into elements of at most four bytes. */
static void take_initial_values(const struct outline *o, const char *symbol, struct named *to) {
    struct variable v;
    for (enum space in = GLOBAL; in < SPACES; in++)
        for (const char *at = NULL; (at = next_variable(o, in, at, symbol, &v));) {
            if (memmem(at, (size_t)(v.name - at), ".f", 2)) continue; /* a float */
            const bool bytes = memmem(at, (size_t)(v.name - at), ".b8 ", 4) != NULL;
            const unsigned size = !bytes ? 1 : v.align < 4 ? v.align : 4;
            struct literal l = {.sized = true, .compared = true};
            for (unsigned k = 0; v.values && *v.values != ';' && *v.values != '\n'; v.values++) {
                if (!isdigit((unsigned char)*v.values)) continue;
                char *stop;
                const uint64_t x = strtoull(v.values, &stop, 10);
                l.bits |= x << (bytes ? 8 * k : 0), v.values = stop - (*stop == ';');
                k = (k + 1) % size;
                if (k && *stop == ',') continue;
                take(to, &l, false);
                k = 0, l.bits = 0;
            }
        }
}
/* A shift to the right by k bits tells whether a number is less than 2^k. */
static void take_shift(struct immediates *to, const char *line, const char *end) {
    const char *amount = memrchr(line, ' ', (size_t)(end - line));
    const unsigned long bits = amount ? strtoul(amount, NULL, 10) : 0;
    if (bits <= 30) add(to, UINT64_C(1) << bits);
}
/* Instructions that compute the logarithm of a number to base 2, or 31 or 63 minus it. */
static const char *const logarithms[] = {"clz.", "bfind.", "lg2."};
/* If x is compared with such a result, it selects the numbers from a power of two up to the next one. */
static void take_logarithm(struct immediates *to, uint64_t x) {
    enum { WORD = 31, LONG = 63 };
    if (x <= WORD) add(to, UINT64_C(1) << x), add(to, UINT64_C(1) << (WORD - x));
    if (x > WORD && x <= LONG) add(to, UINT64_C(1) << (LONG - x));
}
/* Returns whether the instruction is an atomic, or a load that other threads' writes may change. */
static bool sees_updates(const char *line, const char *end) {
    static const char *const strong[] = {"ld.volatile.", "ld.relaxed.", "ld.acquire."};
    if (!strncmp(line, "atom.", 5) || !strncmp(line, "red.", 4)) return true;
    for (unsigned k = 0; k < sizeof strong / sizeof *strong; k++)
        if (!strncmp(line, strong[k], strlen(strong[k]))) return !memmem(line, (size_t)(end - line), ".shared.", 8);
    return false;
}
/* What read_function() collects. */
struct reading {
    struct named *to;
    bool measures_size; /* the function may compute the logarithm of a number to base 2 */
    unsigned updates;   /* instructions for which sees_updates() holds */
};
static void read_statement(const char *line, const char *end, struct reading *r) {
    struct named *to = r->to;
    const char *s;
    unsigned k = 0;
    while (line < end && (*line == '{' || isspace((unsigned char)*line))) line++;
    if (*line == '@') line += strcspn(line, " \n"); /* a guard predicate */
    while (line < end && isspace((unsigned char)*line)) line++;
    r->updates += sees_updates(line, end);
    if (!strncmp(line, "shr.", 4)) take_shift(&to->integers, line, end);
    while (k < sizeof takers / sizeof *takers && strncmp(line, takers[k].word, strlen(takers[k].word)) != 0) k++;
    if (k == sizeof takers / sizeof *takers) return;
    struct literal l = {.sized = takers[k].sized};
    const bool moved = !strncmp(line, "mov.", 4), masks = !strncmp(line, "and.", 4);
    l.compared = !strncmp(line, "set", 3), l.added = !strncmp(line, "add.", 4) && strncmp(line, "add.s64", 7) != 0;
    for (s = line; s < end && (s = memchr(s, ' ', (size_t)(end - s)));)
        if (read_number(++s, &s, &l)) {
            take(to, &l, moved && (int64_t)l.bits == MINUS_INFINITY);
            if (masks && l.kind == LITERAL_WHOLE) add_holes(&to->integers, l.bits);
            if (r->measures_size && l.kind == LITERAL_WHOLE && l.compared) take_logarithm(&to->integers, l.bits);
        }
}
/* A line of inline assembly may have several statements. */
static void read_line(const char *line, const char *end, struct reading *r) {
    for (const char *stop; line < end; line = stop + 1) {
        if (!(stop = memchr(line, ';', (size_t)(end - line)))) stop = end;
        read_statement(line, stop, r);
    }
}
static bool has(const char *at, const char *end, const char *word) {
    return memmem(at, (size_t)(end - at), word, strlen(word)) != NULL;
}
/* Returns whether the text divides a product of 32 bits, or shifts it to the right. Such a product may need more bits
 * than the quotient. */
static bool divides_product(const char *at, const char *end) {
    static const char *const quotients[] = {"\tshr.u32 ", "\tshr.s32 ", "\tdiv.u32 ", "\tdiv.s32 "},
                             *const products[] = {"mul.lo.s32", "mad.lo.s32", "shl.b32"};
    for (unsigned q = 0; q < sizeof quotients / sizeof *quotients; q++)
        for (const char *line = at; (line = memmem(line, (size_t)(end - line), quotients[q], strlen(quotients[q])));) {
            char product[40];
            const char *dividend = strchr(++line, ',');
            for (unsigned p = 0; dividend && p < sizeof products / sizeof *products; p++) {
                const int name = (int)strcspn(dividend + 2, ",\n");
                snprintf(product, sizeof product, "\t%s \t%.*s,", products[p], name, dividend + 2);
                if (has(at, end, product)) return true;
            }
        }
    return false;
}
/* Returns whether the text has an instruction that uses only the upper or the lower 24 bits of an integer. */
static bool narrows(const char *at, const char *end) {
    static const char *const words[] = {"mul24.",   "mad24.",   ", 16777215;", ".f32.u32",
                                        ".f32.s32", ".f32.u64", ".f32.s64"};
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
        if (has(at, end, words[k])) return true;
    return false;
}
/* Returns whether the text may have an instruction that uses only 16 or fewer bits of a larger integer. */
static bool shortens(const char *at, const char *end) {
    static const char *const words[] = {
        "16.u32",        "16.s32",        "16.u64",        "16.s64",        "8.u32",        "8.s32",        "8.u64",
        "8.s64",         "32.s16",        "32.u16",        "32.s8",         "64.u16",       "64.s16",       "{%rs",
        "ld.shared.u16", "ld.shared.s16", "ld.global.u16", "ld.global.s16", "ld.local.u16", "ld.local.s16", "prmt.",
        "bfe.",          "bfi.",          "szext.",        "bmsk."};
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
        if (has(at, end, words[k])) return true;
    for (const char *shift = at; (shift = memmem(shift, (size_t)(end - shift), ", 1", 3)); shift++) {
        const char *line = shift;
        while (line > at && line[-1] != '\n') line--;
        const bool tens = isdigit((unsigned char)shift[3]) && shift[4] == ';';
        if (tens && has(line, shift, "sh") && !has(line, shift, "shfl")) return true; /* a shift by 10 to 19 bits */
    }
    return false;
}
/* Returns whether the text declares an array of FEW_BLOCKS bytes or more, which may have an element per block. */
static bool has_array(const char *at, const char *end) {
    static const char word[] = ".align ";
    for (; (at = memmem(at, (size_t)(end - at), word, strlen(word))); at++) {
        const char *size = memchr(at, '[', strcspn(at, ";=\n"));
        if (size && strtoull(size + 1, NULL, 10) >= FEW_BLOCKS) return true;
    }
    return false;
}
static void read_function(const struct function *f, struct reading *r) {
    struct named *to = r->to;
    if (f->end)
        to->narrow |= narrows(f->head, f->end) || divides_product(f->head, f->end),
            to->shortens |= shortens(f->head, f->end) || has_array(f->head, f->end);
    if (f->end) to->doubles |= has(f->head, f->end, "add.f64") || has(f->head, f->end, "add.rn.f64");
    for (unsigned k = r->measures_size = 0; k < sizeof logarithms / sizeof *logarithms; k++)
        r->measures_size |= f->end && has(f->head, f->end, logarithms[k]);
    for (const char *at = f->head; f->end && at < f->end;) {
        const size_t length = strcspn(at, "\n");
        read_line(at, at + length, r);
        at += length + 1;
    }
}
void named_of(const struct outline *o, const char *symbol, struct named *out) {
    const struct function *f;
    struct variable any;
    struct reading r = {.to = out};
    *out = (struct named){.variables = next_variable(o, GLOBAL, NULL, symbol, &any) != NULL,
                          .shortens = o->first[GLOBAL] &&
                                      has_array(o->first[GLOBAL], o->last[GLOBAL] + strcspn(o->last[GLOBAL], "\n"))};
    take_initial_values(o, symbol, out);
    for (unsigned k = 0; (f = next_function(o, &k, symbol));) read_function(f, &r);
    out->revisits = r.updates >= 2;
    for (unsigned k = 0; k < out->integers.count; k++)
        out->shortens |= out->integers.at[k] >= FEW_BLOCKS && out->integers.at[k] <= MANY_BLOCKS;
}
