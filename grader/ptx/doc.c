/* docs/ptx.md: the instruction table as Markdown. */
#include "ptx/ptx.h"

static const char *const mod_text[PTX_MOD_COUNT] = {
#define CLASS(name, doc)
#define MOD(class, name, text) [PTX_MOD_##name] = text,
#include "ptx/mods.def"
};
static const uint8_t mod_class[PTX_MOD_COUNT] = {
#define CLASS(name, doc)
#define MOD(class, name, text) [PTX_MOD_##name] = PTX_CLASS_##class,
#include "ptx/mods.def"
};
static const struct { const char *name, *meaning; } classes[PTX_CLASS_COUNT] = {
#define CLASS(name, doc) [PTX_CLASS_##name] = {#name, doc},
#define MOD(class, name, text)
#include "ptx/mods.def"
};

static void types(FILE *out, uint32_t set) {
    const char *comma = "";
    for (int t = 1; t < PTX_TYPE_COUNT; t++)
        if (set >> t & 1) fprintf(out, "%s%s", comma, ptx_type_name((enum ptx_type)t)), comma = " ";
}
static void lower(FILE *out, const char *s) {
    for (; *s; s++) fputc(*s >= 'A' && *s <= 'Z' ? *s - 'A' + 'a' : *s, out);
}
static void row(FILE *out, enum ptx_op op) {
    const struct ptx_op_row *r = &ptx_ops[op];
    const char *comma = "";
    fprintf(out, "| `%s` | ", r->mnemonic);
    for (const char *s = r->operands; *s; s++) fputs(*s == '|' ? "\\|" : (char[]){*s, 0}, out);
    fprintf(out, " | ");
    types(out, r->types);
    if (r->types2) fprintf(out, "; "), types(out, r->types2);
    fprintf(out, " | ");
    for (int c = 0; c < PTX_CLASS_COUNT; c++)
        if (r->allow >> c & 1) fputs(comma, out), lower(out, classes[c].name), comma = ", ";
    fprintf(out, " | ");
    for (const char *s = r->summary; *s; s++) fputs(*s == '|' ? "\\|" : (char[]){*s, 0}, out);
    fprintf(out, " |\n");
}
static void section(FILE *out, const char *heading) {
    fprintf(out, "\n## %c%s\n\n| instruction | operands | types | modifiers | meaning |\n|---|---|---|---|---|\n", heading[0] >= 'a' && heading[0] <= 'z' ? heading[0] - 'a' + 'A' : heading[0],
            heading + 1);
}
void ptx_document(FILE *out) {
    fputs("# The PTX that the simulator runs\n\n"
          "Made from `grader/ptx/ops.def` and `mods.def` by `make docs`. Anything else is refused when a module is loaded, by the name of\n"
          "the instruction and its source line.\n\n"
          "Operands: d destination, w destination twice as wide, p destination predicate, d|p with an optional second one, D destination\n"
          "register or vector; a source, c source twice as wide, s source of the second type, u source of 32 bits (in first place: a\n"
          "destination of 32 bits), q source predicate, A source register or vector, x anything movable; m address, l label, f function and its\n"
          "lists; ? may be left out. Types behind a semicolon are those of the source.\n",
          out);
#define SECTION(heading) section(out, heading);
#define LANE(id, ...) row(out, PTX_OP_##id);
#define FORM(id, ...) row(out, PTX_OP_##id);
#include "ptx/ops.def"
    fputs("\n## Modifiers\n\n| class | words | meaning |\n|---|---|---|\n", out);
    for (int c = 0; c < PTX_CLASS_COUNT; c++) {
        fputs("| ", out);
        lower(out, classes[c].name);
        fputs(" |", out);
        for (int m = 1; m < PTX_MOD_COUNT; m++)
            if (mod_class[m] == c) fprintf(out, " `.%s`", mod_text[m]);
        fprintf(out, " | %s |\n", classes[c].meaning);
    }
}
