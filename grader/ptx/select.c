/* From `add.rn.ftz.f32` to a row of the table: every dotted word must be part of the row's name, a type, a state space
 * or a modifier that the row allows. Of several rows that take all the words, the one with the longest name is meant.
 */
#include "ptx/parser.h"
#include <stdio.h>
#include <string.h>

struct word {
    const char *text;
    size_t length;
};

static const struct {
    const char *text;
    uint8_t class, mod;
} modifiers[] = {
#define CLASS(name, doc)
#define MOD(class, name, text) {text, PTX_CLASS_##class, PTX_MOD_##name},
#include "ptx/mods.def"
};

static bool same(const struct word *w, const char *text) {
    return w->length == strlen(text) && !memcmp(w->text, text, w->length);
}

static enum ptx_type type_named(const struct word *w) {
    for (int k = 1; k < PTX_TYPE_COUNT; k++)
        if (same(w, ptx_type_name((enum ptx_type)k))) return (enum ptx_type)k;
    return PTX_NOTYPE;
}
static bool space_named(const struct word *w, enum ptx_space *s) {
    static const struct {
        const char *text;
        enum ptx_space space;
    } names[] = {{"global", PTX_GLOBAL},      {"shared", PTX_SHARED},    {"shared::cta", PTX_SHARED},
                 {"local", PTX_LOCAL},        {"const", PTX_CONST},      {"param", PTX_PARAM},
                 {"param::entry", PTX_PARAM}, {"param::func", PTX_PARAM}};
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (same(w, names[k].text)) return *s = names[k].space, true;
    return false;
}
static bool takes_space(enum ptx_op op) {
    return strchr(ptx_ops[op].operands, 'm') || op == PTX_OP_cvta || op == PTX_OP_isspacep;
}

/* Fills *i from the words if row `op` takes them all. Returns the number of words in the row's name, or -1 and the word
 * at fault. */
static int match(enum ptx_op op, const struct word *words, unsigned count, struct ptx_insn *i, unsigned *fault) {
    const struct ptx_op_row *row = &ptx_ops[op];
    bool used[MAX_WORDS] = {true};
    int named = 1;
    for (const char *name = strchr(row->mnemonic, '.'); name; named++) { /* the words of the name */
        const char *end = strchr(++name, '.');
        const size_t length = end ? (size_t)(end - name) : strlen(name);
        unsigned k = 1;
        while (k < count && (used[k] || words[k].length != length || memcmp(words[k].text, name, length))) k++;
        *fault = 0;
        if (k == count) return -1;
        used[k] = true;
        for (unsigned m = 0; m < sizeof modifiers / sizeof *modifiers;
             m++) /* they count as modifiers too, where a class is allowed */
            if (row->allow >> modifiers[m].class & 1 && same(&words[k], modifiers[m].text))
                i->mod[modifiers[m].class] = modifiers[m].mod;
        name = end;
    }
    for (unsigned k = 1; k < count; k++) {
        const enum ptx_type t = type_named(&words[k]);
        if (used[k]) continue;
        *fault = k;
        if (t && !i->type && row->types >> t & 1)
            i->type = t;
        else if (t && i->type && !i->type2 && row->types2 >> t & 1)
            i->type2 = t;
        else if (t)
            return -1;
        else if (takes_space(op) && i->space == PTX_GENERIC && space_named(&words[k], &i->space))
            continue;
        else {
            unsigned m = 0, most = sizeof modifiers / sizeof *modifiers;
            while (m < most && !(row->allow >> modifiers[m].class & 1 && same(&words[k], modifiers[m].text) &&
                                 !i->mod[modifiers[m].class]))
                m++;
            if (m == most) return -1;
            i->mod[modifiers[m].class] = modifiers[m].mod;
        }
    }
    *fault = count;
    if ((row->types && !i->type) || (row->types2 && !i->type2)) return -1;
    return named;
}

void ptx_select(struct parser *p, struct ptx_insn *i, const struct token *mnemonic) {
    struct word words[MAX_WORDS];
    unsigned count = 0, worst = 0;
    for (const char *at = mnemonic->text, *end = at + mnemonic->length; at <= end && count < MAX_WORDS;) {
        const char *dot = memchr(at, '.', (size_t)(end - at));
        words[count++] = (struct word){at, (size_t)((dot ? dot : end) - at)};
        if (!dot) break;
        at = dot + 1;
    }
    struct ptx_insn best = *i;
    int longest = 0;
    bool known = false;
    for (int op = 0; op < PTX_OP_COUNT; op++) {
        const char *name = ptx_ops[op].mnemonic;
        const size_t base = strcspn(name, ".");
        if (base != words[0].length || memcmp(name, words[0].text, base)) continue;
        struct ptx_insn tried = *i;
        unsigned fault = 0;
        int named = match((enum ptx_op)op, words, count, &tried, &fault);
        known = true;
        if (fault > worst) worst = fault;
        if (named <= longest) continue;
        best = tried, best.op = (enum ptx_op)op, longest = named;
    }
    const int length = (int)(mnemonic->length > 80 ? 80 : mnemonic->length);
    if (!known)
        ptx_fail(p, mnemonic->line, "instruction `%.*s` is outside what the simulator runs", length, mnemonic->text);
    if (!longest &&
        (words[0].length == 4 && (!memcmp(words[0].text, "shfl", 4) || !memcmp(words[0].text, "vote", 4))) &&
        !memmem(mnemonic->text, mnemonic->length, ".sync", 5))
        ptx_fail(p, mnemonic->line, "`%.*s`: use the intrinsics that end in _sync", length, mnemonic->text);
    if (!longest && worst && worst < count)
        ptx_fail(p, mnemonic->line, "`%.*s`: `.%.*s` is outside what the simulator runs", length, mnemonic->text,
                 (int)(words[worst].length > 40 ? 40 : words[worst].length), words[worst].text);
    if (!longest) ptx_fail(p, mnemonic->line, "`%.*s` is outside what the simulator runs", length, mnemonic->text);
    *i = best;
    const enum ptx_mod vec = ptx_mod_of(i, PTX_CLASS_VEC);
    i->vec = vec == PTX_MOD_V2 ? 2 : vec == PTX_MOD_V4 ? 4 : vec == PTX_MOD_V8 ? 8 : 1;
}
