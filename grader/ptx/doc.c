/* Generates docs/ptx.md, the list of supported PTX, from the tables. */
#include "ptx/parser.h"

/* The rows in the order of ops.def, and the headings between them. */
struct line {
    const char *heading; /* heading in lower case; NULL for a row */
    const struct ptx_op_row *row;
};
static const struct line lines[] = {
#define SECTION(heading) {heading, NULL},
#define OP(id, ...) {NULL, &ptx_ops[PTX_OP_##id]},
#include "ptx/ops.def"
};
static const struct {
    const char *name, *doc;
} classes[PTX_CLASS_COUNT] = {
#define CLASS(name, doc) {#name, doc},
#define MOD(class, name, text)
#include "ptx/mods.def"
};
static const struct {
    unsigned class;
    const char *text;
} mods[] = {
#define CLASS(name, doc)
#define MOD(class, name, text) {PTX_CLASS_##class, text},
#include "ptx/mods.def"
};
enum { MODS = sizeof mods / sizeof *mods };
static const struct {
    const char *letter, *meaning;
} letters[] = {
    {"d", "destination register of the instruction's type"},
    {"w", "destination register, twice as wide as the type"},
    {"p", "destination predicate register"},
    {"v", "32-bit destination register"},
    {"d\\|p", "destination register, optionally followed by a destination predicate"},
    {"D", "destination register or vector of registers"},
    {"a", "source of the instruction's type: register or constant"},
    {"c", "source, twice as wide as the type"},
    {"s", "source of the second type"},
    {"u", "32-bit source"},
    {"r", "source of type f32"},
    {"h", "16-bit source"},
    {"e", "32-bit source, or selected bytes or halves of a register: `%r1.b0`, `%r1.h32`"},
    {"q", "source predicate, optionally negated with `!`"},
    {"A", "source or vector of sources"},
    {"T", "destination fragment: the registers that receive a lane's share of a matrix"},
    {"t", "source fragment: the registers that hold a lane's share of a matrix"},
    {"g", "matrix: a 64-bit register with its descriptor, or four registers per lane with its elements"},
    {"m", "memory operand: `[register + offset]`, `[variable + offset]` or `[address]`"},
    {"o", "texture or surface object, or the address of a tensor map; written together with the next operand as "
          "`[object, {coordinates}]`"},
    {"k", "coordinates or gradients: a vector or scalar"},
    {"x", "register, constant, special register, or address of a variable or function"},
    {"l", "label or list of labels"},
    {"f", "function, with its result and arguments"},
    {"?", "marks an optional operand"},
};

/* Writes a table cell, escaping `|`. */
static void cell(FILE *out, const char *text) {
    for (; *text; text++) fprintf(out, *text == '|' ? "\\|" : "%c", *text);
}
/* Writes a list of types, such as "b16 b32 b64". */
static void type_list(FILE *out, uint32_t types) {
    const char *gap = "";
    for (unsigned t = 1; t < PTX_TYPE_COUNT; t++)
        if (types >> t & 1) {
            fprintf(out, "%s%s", gap, ptx_type_name((enum ptx_type)t));
            gap = " ";
        }
}
static void lower(FILE *out, const char *name) {
    for (; *name; name++) fputc(*name >= 'A' && *name <= 'Z' ? *name - 'A' + 'a' : *name, out);
}
/* Returns whether the row allows the modifier for at least one type. */
static bool takes(const struct ptx_op_row *row, unsigned mod) {
    const enum ptx_op op = (enum ptx_op)(row - ptx_ops);
    for (unsigned t = 0; t < PTX_TYPE_COUNT; t++) {
        const bool has = t ? (row->types | row->types2) >> t & 1 : !row->types;
        if (has && ptx_mod_allowed(op, (enum ptx_type)t, (enum ptx_type)t, mods[mod].class, (enum ptx_mod)(mod + 1)))
            return true;
    }
    return false;
}
/* Writes the modifiers of a row, such as "cmp, ftz, .and .or .xor". If the row allows all modifiers of a class, writes
 * the name of the class. */
static void modifier_list(FILE *out, const struct ptx_op_row *row) {
    const char *comma = "";
    for (unsigned c = 0; c < PTX_CLASS_COUNT; c++) {
        unsigned words = 0, taken = 0;
        for (unsigned k = 0; k < MODS; k++)
            if (mods[k].class == c) words++, taken += takes(row, k);
        if (!(row->allow >> c & 1) || !taken) continue;
        fputs(comma, out), comma = ", ";
        if (taken == words) lower(out, classes[c].name);
        const char *gap = "";
        for (unsigned k = 0; k < MODS && taken < words; k++)
            if (mods[k].class == c && takes(row, k)) fprintf(out, "%s`.%s`", gap, mods[k].text), gap = " ";
    }
}
static const char *const memories[] = {"", "load", "store", "atomic", "fence", "barrier", "texture"};
static const char *const reaches[] = {"", "lanes of the warp", "warps of the block", "other blocks"};
/* Returns whether an instruction has an effect besides writing its destination: on memory or on other threads. */
static bool has_effect(const struct ptx_traits *t) { return t->memory || t->crosses; }
static void effect(FILE *out, const struct ptx_traits *t) {
    fprintf(out, " %s%s%s |", memories[t->memory], t->memory && t->crosses ? "; " : "", reaches[t->crosses]);
}
/* Returns whether any instruction has an effect in the section whose heading is line `k`. */
static bool section_has_effects(size_t k) {
    for (k++; k < sizeof lines / sizeof *lines && lines[k].row; k++)
        if (has_effect(&lines[k].row->traits)) return true;
    return false;
}
static void instruction_row(FILE *out, const struct ptx_op_row *row, bool with_effect) {
    fprintf(out, "| `%s` | ", row->mnemonic);
    cell(out, row->operands);
    fputs(" | ", out);
    type_list(out, row->types);
    if (row->types2) fputs(", then ", out), type_list(out, row->types2);
    fputs(" | ", out);
    modifier_list(out, row);
    fputs(" | ", out);
    cell(out, row->summary);
    fputs(" |", out);
    if (with_effect) effect(out, &row->traits);
    fputc('\n', out);
}
static void instructions(FILE *out) {
    bool effects = false;
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
        if (lines[k].row) {
            instruction_row(out, lines[k].row, effects);
            continue;
        }
        effects = section_has_effects(k);
        fprintf(
            out,
            "\n## %c%s\n\n| mnemonic | operands | types | modifiers | meaning |%s\n| --- | --- | --- | --- | --- |%s\n",
            lines[k].heading[0] - 'a' + 'A', lines[k].heading + 1, effects ? " effect; reach |" : "",
            effects ? " --- |" : "");
    }
}
/* Returns whether any row allows the class. The other classes only occur in mnemonics and are not documented. */
static bool taken(unsigned group) {
    uint32_t all = 0;
    for (unsigned op = 0; op < PTX_OP_COUNT; op++) all |= ptx_ops[op].allow;
    return all >> group & 1;
}
static void modifiers(FILE *out) {
    fputs("\n## Modifiers\n\n| class | words | meaning |\n| --- | --- | --- |\n", out);
    for (unsigned c = 0; c < PTX_CLASS_COUNT; c++) {
        if (!taken(c)) continue;
        fputs("| ", out), lower(out, classes[c].name), fputs(" |", out);
        for (unsigned k = 0; k < MODS; k++)
            if (mods[k].class == c) fprintf(out, " `.%s`", mods[k].text);
        fprintf(out, " | %s |\n", classes[c].doc);
    }
}
static void special_registers(FILE *out) {
    fputs("\n## Special registers\n\n", out);
    for (unsigned k = 0; k < PTX_SPECIAL_COUNT; k++)
        fprintf(out, "%s`%s`", k ? k % 6 ? ", " : ",\n" : "", ptx_special_name((enum ptx_special)k));
    fputs(".\n", out);
}

static void absent(FILE *out) {
    static const char *const rows[][3] = {
#define ABSENT(what, example, origin, reason) {what, origin, reason},
#include "ptx/absent.def"
    };
    fputs("\n## Unsupported PTX\n\n| PTX | origin | reason |\n| --- | --- | --- |\n", out);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        fprintf(out, "| %s | %s | %s |\n", rows[k][0], rows[k][1], rows[k][2]);
}

void ptx_document(FILE *out) {
    fputs("# PTX that the simulator runs\n"
          "\n"
          "`make docs` writes this page from `grader/ptx/ops.def` and `grader/ptx/mods.def` (`./grade --ptx-doc`).\n"
          "\n"
          "An instruction consists of a mnemonic, followed by modifiers, a state space and types in any order. The "
          "simulator rejects anything\n"
          "not listed on this page; the message gives the PTX line and, if a `.loc` directive is present, the "
          "line of CUDA source.\n"
          "The PTX ISA, release 9.0, defines each instruction in the section of the same name.\n"
          "\n"
          "In the descriptions, d is the destination, and a, b and c are the source operands, in this order. The "
          "modifiers "
          "column names a\n"
          "[class](#modifiers) if the instruction accepts every modifier in it; otherwise, it lists the accepted "
          "modifiers. The PTX ISA\n"
          "specifies which modifiers each type accepts. The last column of some tables gives an instruction's effect "
          "on\n"
          "memory or synchronization, and the farthest threads that it can affect.\n"
          "\n"
          "## Operands\n"
          "\n"
          "| letter | operand |\n"
          "| --- | --- |\n",
          out);
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
        fprintf(out, "| %s | %s |\n", letters[k].letter, letters[k].meaning);
    instructions(out);
    modifiers(out);
    special_registers(out);
    absent(out);
}
