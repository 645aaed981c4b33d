/* Selects the row of the instruction table for a mnemonic such as `add.rn.ftz.f32`. A row matches if each dotted word
 * is part of the row's name, or is a type, state space or modifier that the row allows. If several rows match, the one
 * with the longest name is selected. */
#include "base/hash.h"
#include "ptx/parser.h"
#include <stdio.h>
#include <string.h>

struct word {
    const char *text;
    size_t length;
};
enum fault { FAULT_WORD, FAULT_NO_TYPE, FAULT_NO_NAME };
/* An attempt to match a row. If it fails, `fault` gives the reason. FAULT_WORD: the row does not accept word `at`.
 * FAULT_NO_NAME: the mnemonic lacks the word `missing`. FAULT_NO_TYPE: the mnemonic lacks a type. */
struct attempt {
    struct ptx_insn insn;
    unsigned named, at;
    enum fault fault;
    struct word missing;
    bool fits;
};

static bool same_word(const struct word *w, const char *text) {
    return w->length == strlen(text) && !memcmp(w->text, text, w->length);
}

static bool space_named(const struct word *w, enum ptx_space *s) {
    static const struct {
        const char *text;
        enum ptx_space space;
    } names[] = {
        {"global", PTX_GLOBAL},    {"shared", PTX_SHARED}, {"shared::cta", PTX_SHARED}, {"shared::cluster", PTX_SHARED},
        {"local", PTX_LOCAL},      {"const", PTX_CONST},   {"param", PTX_PARAM},        {"param::entry", PTX_PARAM},
        {"param::func", PTX_PARAM}};
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (same_word(w, names[k].text)) return *s = names[k].space, true;
    return false;
}
static bool takes_space(enum ptx_op op) { return strchr(ptx_ops[op].operands, 'm') || ptx_ops[op].traits.names_space; }

/* Returns whether the word is the layout of matrix A or B. The order of these words is significant. */
static bool is_layout(const struct word *w) { return same_word(w, "row") || same_word(w, "col"); }
/* Marks the words that are part of the row's name. If one of them is absent, returns false and stores it in
 * a->missing. */
static bool take_name(const struct ptx_op_row *row, const struct word *words, unsigned count, bool used[MAX_WORDS],
                      struct attempt *a) {
    unsigned layouts = 1; /* index at which the search for the next layout starts */
    used[0] = true;
    a->named = 1;
    for (const char *name = strchr(row->mnemonic, '.'), *end; name; name = end, a->named++) {
        end = strchr(++name, '.');
        const struct word wanted = {name, end ? (size_t)(end - name) : strlen(name)};
        unsigned k = is_layout(&wanted) ? layouts : 1;
        while (k < count && (used[k] || words[k].length != wanted.length || memcmp(words[k].text, name, wanted.length)))
            k++;
        if (k == count) {
            a->fault = FAULT_NO_NAME, a->missing = wanted;
            return false;
        }
        used[k] = true;
        if (is_layout(&wanted)) layouts = k + 1;
    }
    return true;
}
/* Parses a shape such as "m64n128k16". */
static bool product_shape(const struct word *w, struct ptx_insn *i) {
    unsigned n, k;
    int end = 0;
    char text[20];
    snprintf(text, sizeof text, "%.*s", (int)w->length, w->text);
    if (sscanf(text, "m64n%3uk%3u%n", &n, &k, &end) != 2 || (size_t)end != w->length) return false;
    i->columns = (uint16_t)n, i->depth = (uint16_t)k;
    return true;
}
/* Accepts a word that is not part of the name: a type, a state space or a modifier. */
static bool take_word(enum ptx_op op, const struct word *w, struct ptx_insn *i) {
    const struct ptx_op_row *row = &ptx_ops[op];
    const enum ptx_type t = ptx_type_named(w->text, w->length);
    if (t && !i->type && row->types >> t & 1) return i->type = t, true;
    if (t && i->type && !i->type2 && row->types2 >> t & 1) return i->type2 = t, true;
    for (unsigned k = 0; t && i->type2 && k < row->traits.more_types; k++)
        if (!i->more[k] && (k ? row->types : row->types2) >> t & 1) return i->more[k] = t, true;
    if (t) return false;
    if (op == PTX_OP_wgmma && !i->columns && product_shape(w, i)) return true;
    if (takes_space(op) && i->space == PTX_GENERIC && space_named(w, &i->space))
        return i->cluster = same_word(w, "shared::cluster"), true;
    unsigned group;
    const enum ptx_mod m = ptx_mod_named(op, w->text, w->length, &group);
    /* Several cache hints are allowed, because they have no effect. */
    if (!m || (i->mod[group] && group != PTX_CLASS_HINT)) return false;
    i->mod[group] = (uint8_t)m;
    return true;
}
static void match(enum ptx_op op, const struct word *words, unsigned count, struct attempt *a) {
    const struct ptx_op_row *row = &ptx_ops[op];
    bool used[MAX_WORDS] = {false};
    a->insn.op = op;
    if (!take_name(row, words, count, used, a)) return;
    a->fault = FAULT_WORD;
    for (a->at = 1; a->at < count; a->at++)
        if (!used[a->at] && !take_word(op, &words[a->at], &a->insn)) return;
    a->fault = FAULT_NO_TYPE;
    a->fits = (!row->types || a->insn.type) && (!row->types2 || a->insn.type2) &&
              (!row->traits.more_types || a->insn.more[row->traits.more_types - 1]);
}

enum {
    LAST_WITHOUT_SYNC = 63 /* last PTX version that allows shfl without .sync for compute capability 7.0 and higher (PTX
                              ISA, "shfl (deprecated)") */
};
static bool names_row(enum ptx_op op, const struct word *opcode) {
    const char *name = ptx_ops[op].mnemonic;
    return *name == *opcode->text && strcspn(name, ".") == opcode->length &&
           !memcmp(name, opcode->text, opcode->length);
}
/* Returns whether the mnemonic names a warp-wide exchange without .sync, as in old PTX. */
static bool lacks_sync(const struct word *words, unsigned count) {
    for (unsigned k = 1; k < count; k++)
        if (same_word(&words[k], "sync")) return false;
    for (unsigned op = 0; op < PTX_OP_COUNT; op++) {
        const struct ptx_op_row *row = &ptx_ops[op];
        const bool exchange = row->traits.crosses == PTX_CROSSES_LANES && row->traits.memory == PTX_MEMORY_NONE;
        if (exchange && strstr(row->mnemonic, ".sync") && names_row((enum ptx_op)op, &words[0])) return true;
    }
    return false;
}
/* Returns whether the PTX ISA has instructions with this opcode. If not, the PTX is invalid, and a GPU's driver would
 * reject it too. */
static bool is_in_isa(const struct word *opcode) {
    static const char *const others[] = {"clusterlaunchcontrol", "istypep", "multimem", "sured", "tcgen05"};
    for (unsigned k = 0; k < sizeof others / sizeof *others; k++)
        if (same_word(opcode, others[k])) return true;
    for (int op = 0; op < PTX_OP_COUNT; op++)
        if (names_row((enum ptx_op)op, opcode)) return true;
    return false;
}
static _Noreturn void refuse(struct parser *p, const struct attempt *a, const struct word *words, unsigned count) {
    const struct token t = p->mnemonic;
    char why[128] = "";
    if (!is_in_isa(&words[0])) ptx_fail(p, t.line, "`%.*s` is not an instruction of the PTX ISA", SHOW(t));
    if (lacks_sync(words, count))
        ptx_refuse(p, t.line,
                   "`%.*s` has no lane mask: use the intrinsics whose names end in _sync, such as __shfl_down_sync()",
                   SHOW(t));
    const struct word *w = &words[a->at < count ? a->at : 0];
    const int shown = (int)(w->length > 40 ? 40 : w->length);
    if (a->named && a->fault == FAULT_WORD)
        snprintf(why, sizeof why, " with `.%.*s`", shown, w->text);
    else if (a->named && a->fault == FAULT_NO_TYPE)
        snprintf(why, sizeof why, " without its type");
    else if (a->named)
        snprintf(why, sizeof why, " without `.%.*s`", (int)a->missing.length, a->missing.text);
    ptx_refuse(p, t.line, "instruction `%.*s` is not supported by the simulator%s", SHOW(t), why);
}
static unsigned split(const struct token *t, struct word words[MAX_WORDS]) {
    unsigned count = 0;
    const char *end = t->text + t->length;
    for (const char *at = t->text; count < MAX_WORDS; at++) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        words[count++] = (struct word){at, (size_t)((dot ? dot : end) - at)};
        if (!dot) return count;
        at = dot;
    }
    return MAX_WORDS + 1;
}
/* Treats 128 bits as two numbers of 64 bits: replaces .b128 with .v2.b64 or, in mov, with .b64. Returns the number of
 * words. */
static unsigned name_halves(struct word words[MAX_WORDS], unsigned count) {
    for (unsigned k = 1; k < count && count < MAX_WORDS; k++)
        if (same_word(&words[k], "b128")) {
            words[k] = (struct word){"b64", 3};
            if (!same_word(&words[0], "mov")) words[count++] = (struct word){"v2", 2};
            break;
        }
    return count;
}
static void select_row(struct parser *p, struct ptx_insn *i) {
    struct word words[MAX_WORDS];
    struct attempt best = {.insn = *i};
    const unsigned count = name_halves(words, split(&p->mnemonic, words));
    if (count > MAX_WORDS)
        ptx_fail(p, p->mnemonic.line, "instruction `%.*s` has too many modifiers", SHOW(p->mnemonic));
    for (int op = 0; op < PTX_OP_COUNT; op++) {
        if (!names_row((enum ptx_op)op, &words[0])) continue;
        struct attempt a = {.insn = *i};
        match((enum ptx_op)op, words, count, &a);
        const bool better = a.fits != best.fits ? a.fits
                            : a.fits            ? a.named > best.named
                                                : a.at > best.at || !best.named;
        if (better) best = a;
    }
    const bool too_old = best.fits && p->module->version > LAST_WITHOUT_SYNC && lacks_sync(words, count);
    if (!best.fits || too_old) refuse(p, &best, words, count);
    *i = best.insn;
    const enum ptx_mod vec = ptx_mod_of(i, PTX_CLASS_VEC);
    i->vec = vec == PTX_MOD_V2 ? 2 : vec == PTX_MOD_V4 ? 4 : vec == PTX_MOD_V8 ? 8 : 1;
    const enum ptx_mod matrices = ptx_mod_of(i, PTX_CLASS_MATRICES);
    if (matrices) i->vec = matrices == PTX_MOD_X1 ? 1 : matrices == PTX_MOD_X2 ? 2 : 4;
}
void ptx_select(struct parser *p, struct ptx_insn *i) {
    const struct token *t = &p->mnemonic;
    struct selected *known = &p->selected[hash_bytes(HASH_START, t->text, t->length) % MAX_SELECTED];
    p->same = known;
    if (known->mnemonic.length == t->length && !memcmp(known->mnemonic.text, t->text, t->length)) {
        memcpy(i, known->insn, sizeof known->insn);
        return;
    }
    select_row(p, i);
    known->mnemonic = *t, known->allowed = false;
    memcpy(known->insn, i, sizeof known->insn);
}
