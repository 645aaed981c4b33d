/* Prints the registers of a warp, and the memory that it can access. */
#include "run/look.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 80, INDENT = 5, DEFAULT_ELEMENTS = 16, MAX_ELEMENTS = 4096 };

/* ---- rows of values ------------------------------------------------------------------------- */
struct values {
    unsigned count;
    char (*text)[40];
};
/* Prints "head = values", wrapped to WIDTH columns. */
static void write_row(FILE *out, const char *head, const struct values *v) {
    int column = fprintf(out, "%*s%s =", INDENT, "", head);
    const int indent = column < 24 ? column : 24;
    for (unsigned k = 0; k < v->count; k++) {
        if (column + 1 + (int)strlen(v->text[k]) > WIDTH) fprintf(out, "\n%*s", column = indent, "");
        column += fprintf(out, " %s", v->text[k]);
    }
    fputc('\n', out);
}
/* If an arithmetic progression is too long for two lines, abbreviates it to its first two values and its last. */
static void shorten(struct values *v) {
    unsigned length = 0;
    for (unsigned k = 0; k < v->count; k++) length += (unsigned)strlen(v->text[k]) + 1;
    if (length <= 2 * (WIDTH - 10) || v->count < 5) return;
    for (unsigned k = 2; k < v->count; k++) {
        char *end[3];
        uint64_t n[3];
        for (unsigned j = 0; j < 3; j++) {
            n[j] = strtoull(v->text[k - 2 + j], &end[j], 0);
            if (*end[j]) return;
        }
        if (n[2] - n[1] != n[1] - n[0]) return;
    }
    snprintf(v->text[2], sizeof *v->text, "...");
    memcpy(v->text[3], v->text[v->count - 1], sizeof *v->text);
    v->count = 4;
}
/* Prints one value for each lane, or a single value if all lanes have the same one. */
static void write_lanes(const struct run_look *l, const char *name, uint32_t lanes, char (*text)[40]) {
    char who[120], head[200];
    bool same = true;
    struct values v = {0, text};
    for (uint32_t k = 0; k < SIM_WARP; k++) {
        if (!(lanes >> k & 1)) continue;
        same = same && !strcmp(text[k], text[__builtin_ctz(lanes)]);
        if (v.count != k) memcpy(text[v.count], text[k], sizeof *text);
        v.count++;
    }
    finding_lanes(lanes, who, sizeof who);
    if (v.count == 1) {
        fprintf(l->out, "%*s%s = %s in lane %s\n", INDENT, "", name, text[0], who);
    } else if (same) {
        fprintf(l->out, "%*s%s = %s in %s%s\n", INDENT, "", name, text[0], lanes == UINT32_MAX ? "" : "lanes ",
                lanes == UINT32_MAX ? "all lanes" : who);
    } else {
        snprintf(head, sizeof head, "%s%s%s", name, lanes == UINT32_MAX ? "" : ", lanes ",
                 lanes == UINT32_MAX ? "" : who);
        shorten(&v);
        write_row(l->out, head, &v);
    }
}

/* ---- registers ------------------------------------------------------------------------------ */
static const struct run_type *type_named(const char *name, size_t length) {
    for (unsigned k = 0; k < run_type_count; k++)
        if ((strlen(run_types[k].name) == length && !strncmp(run_types[k].name, name, length)) ||
            (strlen(run_types[k].alias) == length && !strncmp(run_types[k].alias, name, length)))
            return &run_types[k];
    return NULL;
}
/* Formats a value of a PTX type. 64-bit integers print as addresses if they need more than 40 bits. Other untyped
 * values print as signed integers. */
static void value_text(enum ptx_type t, uint64_t v, char out[40]) {
    const unsigned bits = ptx_type_bits(t);
    const bool is_signed = (t >= PTX_B8 && t <= PTX_B64) || (t >= PTX_S8 && t <= PTX_S64);
    const char *name = t == PTX_F32 ? "f32" : t == PTX_F64 ? "f64" : is_signed ? "i64" : "u64";
    if (is_signed && bits < 64) v = (uint64_t)((int64_t)(v << (64 - bits)) >> (64 - bits));
    if (t == PTX_PRED)
        snprintf(out, 40, "%s", v ? "true" : "false");
    else if (bits == 64 && t != PTX_F64 && v >> 40 && v >> 40 != 0xffffff)
        snprintf(out, 40, "0x%llx", (unsigned long long)v);
    else
        run_value_text(type_named(name, 3), &v, out, 40);
}
/* Returns the most specific type known for a register. nvcc declares even floats as .b32, so the types of the
 * instructions that assign the register take precedence over its declared type. */
static enum ptx_type register_type(const struct ptx_function *f, uint32_t reg) {
    enum ptx_type best = f->registers[reg].type;
    if (best == PTX_PRED || best == PTX_F32 || best == PTX_F64) return best;
    for (unsigned k = 0; k < f->code_count; k++) {
        const struct ptx_insn *i = &f->code[k];
        const bool assigns =
            i->count && i->operand[0].kind == PTX_REGISTER && i->operand[0].reg == reg && ptx_written(i);
        if (!assigns || ptx_type_bits(i->type) != ptx_type_bits(best)) continue;
        if (i->type == PTX_F32 || i->type == PTX_F64) return i->type;
        if (i->type > PTX_B64) best = i->type;
    }
    return best;
}
static void write_register(const struct run_look *l, const struct ptx_function *f, uint32_t reg, enum ptx_type type) {
    char text[SIM_WARP][40];
    uint32_t lanes = 0, set = 0, here = 0;
    if (ptx_type_bits(type) != ptx_type_bits(f->registers[reg].type)) type = f->registers[reg].type;
    for (uint32_t k = 0; k < SIM_WARP; k++) {
        uint64_t v;
        if (!(l->lanes >> k & 1) || sim_lane_function(l->warp, k) != f) continue;
        here++;
        if (!sim_lane_register(l->warp, k, reg, &v)) continue;
        value_text(type, v, text[k]);
        lanes |= 1u << k, set |= (uint32_t)(v != 0) << k;
    }
    if (!lanes)
        fprintf(l->out, "%*s%s: %s\n", INDENT, "", f->registers[reg].name,
                here ? "the function no longer needs this register here, and another register has reused its storage"
                     : "no lane is executing this register's function now");
    else if (type == PTX_PRED && set && set != lanes) {
        char who[120];
        fprintf(l->out, "%*s%s = true in lane%s %s, false in the others\n", INDENT, "", f->registers[reg].name,
                set & (set - 1) ? "s" : "", finding_lanes(set, who, sizeof who));
    } else
        write_lanes(l, f->registers[reg].name, lanes, text);
}
static void write_operand(const struct run_look *l, const struct ptx_function *f, const struct ptx_operand *o,
                          enum ptx_type type) {
    if (o->kind == PTX_REGISTER && o->reg < f->register_count) write_register(l, f, o->reg, type);
    for (unsigned k = 0; o->kind == PTX_VECTOR && k < o->count; k++) write_operand(l, f, &o->elements[k], type);
}
void run_look_assigned(const struct run_look *l, const struct ptx_function *f, const struct ptx_insn *i) {
    if (!ptx_written(i)) return;
    write_operand(l, f, &i->operand[0], i->type);
    write_operand(l, f, &i->pred_dest, PTX_PRED);
}
void run_look_operands(const struct run_look *l, const struct ptx_function *f, const struct ptx_insn *i) {
    bool any = false;
    if (i->guard != PTX_NO_REG) write_register(l, f, i->guard, PTX_PRED), any = true;
    for (unsigned k = ptx_written(i); k < i->count; k++) {
        const struct ptx_operand *o = &i->operand[k];
        if (o->kind == PTX_MEMORY && !o->symbol && o->reg != PTX_NO_REG)
            write_register(l, f, o->reg, f->registers[o->reg].type), any = true;
        else if (o->kind == PTX_REGISTER)
            write_register(l, f, o->reg, register_type(f, o->reg)), any = true;
        else if (o->kind == PTX_VECTOR)
            write_operand(l, f, o, i->type), any = true;
    }
    if (!any) fprintf(l->out, "%*sthis instruction reads no registers\n", INDENT, "");
}

/* ---- special registers ---------------------------------------------------------------------- */
static const struct {
    const char *name, *ptx;
} source_specials[] = {
    {"threadIdx.x", "%tid.x"},  {"threadIdx.y", "%tid.y"},  {"threadIdx.z", "%tid.z"},  {"blockIdx.x", "%ctaid.x"},
    {"blockIdx.y", "%ctaid.y"}, {"blockIdx.z", "%ctaid.z"}, {"blockDim.x", "%ntid.x"},  {"blockDim.y", "%ntid.y"},
    {"blockDim.z", "%ntid.z"},  {"gridDim.x", "%nctaid.x"}, {"gridDim.y", "%nctaid.y"}, {"gridDim.z", "%nctaid.z"},
};
static bool special_value(const struct sim_where *w, enum ptx_special s, uint32_t lane, uint64_t *v) {
    const struct sim_launch_info *l = w->launch;
    const uint32_t thread = w->warp * SIM_WARP + lane;
    const uint32_t tid[3] = {thread % l->block[0], thread / l->block[0] % l->block[1],
                             thread / l->block[0] / l->block[1]};
    const uint32_t ctaid[3] = {w->block % l->grid[0], w->block / l->grid[0] % l->grid[1],
                               w->block / l->grid[0] / l->grid[1]};
    if (s <= PTX_TID_Z)
        *v = tid[s - PTX_TID_X];
    else if (s <= PTX_NTID_Z)
        *v = l->block[s - PTX_NTID_X];
    else if (s <= PTX_CTAID_Z)
        *v = ctaid[s - PTX_CTAID_X];
    else if (s <= PTX_NCTAID_Z)
        *v = l->grid[s - PTX_NCTAID_X];
    else if (s == PTX_LANEID)
        *v = lane;
    else if (s == PTX_WARPID)
        *v = w->warp;
    else
        return false;
    return true;
}
static bool write_special(const struct run_look *l, const char *name) {
    const char *ptx = name;
    char text[SIM_WARP][40];
    for (size_t k = 0; k < sizeof source_specials / sizeof *source_specials; k++)
        if (!strcmp(source_specials[k].name, name)) ptx = source_specials[k].ptx;
    for (unsigned s = 0; s < PTX_SPECIAL_COUNT; s++) {
        if (strcmp(ptx_special_name((enum ptx_special)s), ptx)) continue;
        for (uint32_t k = 0; k < SIM_WARP; k++) {
            uint64_t v = 0;
            if (!special_value(l->where, (enum ptx_special)s, k, &v)) return false;
            snprintf(text[k], sizeof text[k], "%llu", (unsigned long long)v);
        }
        write_lanes(l, name, l->lanes, text);
        return true;
    }
    return false;
}

/* ---- memory --------------------------------------------------------------------------------- */
/* A range of memory that has a name. */
struct piece {
    char name[64];
    uint64_t address, bytes;
    const struct run_type *type;
    const struct run_argument *argument; /* argument whose buffer contains the range, or NULL */
    bool shared;
};
static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }
static const char *find_word(const char *text, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = strstr(text, word); n && at; at = strstr(at + 1, word))
        if (!in_word(at[n]) && (at == text || !in_word(at[-1]))) return at;
    return NULL;
}
const struct run_type *run_declared_type(const struct ptx_module *m, struct run_sources *s, const char *name) {
    static const char *const qualifiers[] = {"__shared__", "__device__", "__constant__"};
    for (unsigned f = 1; f < m->file_count; f++) {
        const char *base = m->files[f] ? strrchr(m->files[f], '/') : NULL;
        const char *file = base ? base + 1 : m->files[f], *text;
        for (uint32_t n = 1; file && (text = run_source_line(s, file, n)); n++)
            for (unsigned q = 0; q < 3; q++) {
                const char *from = strstr(text, qualifiers[q]), *at = from ? find_word(from, name) : NULL;
                char words[80];
                if (!at) continue;
                snprintf(words, sizeof words, "%.*s", (int)(at - from), from);
                const bool u = strstr(words, "unsigned") || strstr(words, "uint") || strstr(words, "size_t");
                return strstr(words, "double")     ? type_named("f64", 3)
                       : strstr(words, "bfloat16") ? type_named("bf16", 4)
                       : strstr(words, "half")     ? type_named("f16", 3)
                       : strstr(words, "float")    ? type_named("f32", 3)
                       : strstr(words, "char")     ? type_named(u ? "u8" : "i8", 2)
                       : strstr(words, "short")    ? type_named(u ? "u16" : "i16", 3)
                       : strstr(words, "long") || strstr(words, "64") || strstr(words, "size_t")
                           ? type_named(u ? "u64" : "i64", 3)
                       : u || strstr(words, "int") ? type_named(u ? "u32" : "i32", 3)
                                                   : NULL;
            }
    }
    return NULL;
}
/* Returns the type of the kernel's first access to the state space, for memory without a declared type. */
static const struct run_type *accessed_type(const struct ptx_function *kernel, enum ptx_space space) {
    for (unsigned k = 0; k < kernel->code_count; k++) {
        const struct ptx_insn *i = &kernel->code[k];
        const unsigned bytes = ptx_type_bits(i->type) / 8;
        if (i->space != space || !bytes || (i->op != PTX_OP_ld && i->op != PTX_OP_st)) continue;
        const enum run_kind kind = i->type == PTX_F32 || i->type == PTX_F64  ? RUN_FLOAT
                                   : i->type >= PTX_U8 && i->type <= PTX_U64 ? RUN_UNSIGNED
                                                                             : RUN_SIGNED;
        for (unsigned t = 0; t < run_type_count; t++)
            if (run_types[t].kind == kind && run_types[t].bytes == bytes) return &run_types[t];
    }
    return type_named("i32", 3);
}
static const struct run_type *type_of_variable(const struct run_look *l, const char *name, enum ptx_space space) {
    const struct run_type *t = run_declared_type(l->where->launch->module, l->sources, name);
    return t ? t : accessed_type(l->where->launch->kernel, space);
}
static bool find_piece(const struct run_look *l, const char *name, struct piece *p) {
    const struct sim_launch_info *launch = l->where->launch;
    const struct sim_symbol *shared = launch->symbols;
    snprintf(p->name, sizeof p->name, "%s", name);
    p->argument = NULL;
    for (unsigned k = 0; k < l->run->kernel->param_count; k++) {
        const struct run_argument *a = &l->run->argument[k];
        if (!a->buffer || strcmp(a->name, name)) continue;
        p->address = l->run->address[a->place], p->bytes = a->count * a->type->bytes, p->type = a->type,
        p->argument = a;
        return true;
    }
    for (unsigned k = 0; k < launch->symbol_count; k++) {
        char plain[64];
        if (strcmp(finding_source_name(shared[k].name, plain, sizeof plain), name)) continue;
        p->address = sim_shared_address(shared[k].offset);
        p->bytes = launch->shared_bytes - shared[k].offset;
        if (shared[k].size < p->bytes) p->bytes = shared[k].size;
        p->type = type_of_variable(l, name, PTX_SHARED), p->shared = true;
        return true;
    }
    for (unsigned k = 0; k < launch->object_count; k++) {
        char plain[64];
        const struct sim_object *o = launch->objects[k];
        if (o->kind != SIM_VARIABLE || strcmp(finding_source_name(o->name, plain, sizeof plain), name)) continue;
        p->address = o->address, p->bytes = o->size, p->type = type_of_variable(l, name, o->space);
        return true;
    }
    return false;
}
/* Prints elements first..last of a range. `last` may be past the end of the range if memory exists there. */
static void write_piece(const struct run_look *l, const struct piece *p, uint64_t first, uint64_t last) {
    const unsigned lane = l->lanes ? (unsigned)__builtin_ctz(l->lanes) : 0;
    struct values v = {0, calloc(last - first + 1, sizeof *v.text)};
    char head[160];
    for (uint64_t k = first; v.text && k <= last; k++) {
        uint8_t bytes[8];
        const struct run_argument *a = p->argument;
        if (!sim_lane_read(l->warp, lane, p->address + k * p->type->bytes, bytes, p->type->bytes)) break;
        /* The initial contents of a block's shared memory. */
        static const uint8_t poison[8] = {0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5, 0xA5};
        const bool fresh = p->shared && p->type->bytes >= 4 && !memcmp(bytes, poison, p->type->bytes);
        if (fresh || (a && !a->initialized && k < a->count && !run_buffer_is_written(a, k, k)))
            snprintf(v.text[v.count++], sizeof *v.text, "?");
        else
            run_value_text(p->type, bytes, v.text[v.count++], sizeof *v.text);
    }
    if (!v.count)
        fprintf(l->out, "%*s%s[%llu] is not in any memory\n", INDENT, "", p->name, (unsigned long long)first);
    else {
        if (p->bytes == p->type->bytes && !first)
            snprintf(head, sizeof head, "%s", p->name);
        else if (v.count == 1)
            snprintf(head, sizeof head, "%s[%llu]", p->name, (unsigned long long)first);
        else
            snprintf(head, sizeof head, "%s[%llu..%llu]", p->name, (unsigned long long)first,
                     (unsigned long long)(first + v.count - 1));
        write_row(l->out, head, &v);
    }
    free(v.text);
}

/* ---- print ---------------------------------------------------------------------------------- */
/* Parses "[3]" or "[0..7]". Sets *given to false if the text is empty. */
static bool parse_range(const char *text, uint64_t *first, uint64_t *last, bool *given) {
    char copy[64], *end = NULL;
    *given = *text != 0;
    if (!*given) return true;
    snprintf(copy, sizeof copy, "%s", text);
    const size_t n = strlen(copy);
    if (strlen(text) >= sizeof copy || copy[0] != '[' || copy[n - 1] != ']') return false;
    copy[n - 1] = 0;
    end = strstr(copy, "..");
    if (end) *end = 0;
    if (!run_number(copy + 1, UINT64_C(1) << 40, first) ||
        !run_number(end ? end + 2 : copy + 1, UINT64_C(1) << 40, last))
        return false;
    return *first <= *last && *last - *first < MAX_ELEMENTS;
}
static bool write_argument(const struct run_look *l, const char *name) {
    char text[40];
    for (unsigned k = 0; k < l->run->kernel->param_count; k++) {
        const struct run_argument *a = &l->run->argument[k];
        if (a->buffer || !a->type || strcmp(a->name, name)) continue;
        fprintf(l->out, "%*s%s = %s\n", INDENT, "", name, run_value_text(a->type, a->data, text, sizeof text));
        return true;
    }
    return false;
}
static bool write_named_register(const struct run_look *l, const char *name) {
    const struct ptx_function *f = l->lanes ? sim_lane_function(l->warp, (unsigned)__builtin_ctz(l->lanes)) : NULL;
    for (unsigned k = 0; f && k < f->register_count; k++) {
        if (strcmp(f->registers[k].name, name)) continue;
        write_register(l, f, k, register_type(f, k));
        return true;
    }
    return false;
}
void run_look_print(const struct run_look *l, const char *expression) {
    char name[64];
    const struct run_type *type = NULL;
    struct piece p = {.argument = NULL};
    uint64_t first = 0, last = 0, address;
    bool ranged = false;
    const char *space = strpbrk(expression, " \t");
    if (space && (type = type_named(expression, (size_t)(space - expression))))
        expression = space + strspn(space, " \t");
    const size_t n = strcspn(expression, "[");
    snprintf(name, sizeof name, "%.*s", n < sizeof name ? (int)n : (int)sizeof name - 1, expression);
    if (*name == '%' || strchr(name, '.')) {
        if (!write_named_register(l, name) && !write_special(l, name))
            fprintf(l->out, "%*sno register `%s` here\n", INDENT, "", name);
        return;
    }
    if (!parse_range(expression + n, &first, &last, &ranged)) {
        fprintf(l->out, "%*sa range is written [3] or [0..7], and has at most %d elements\n", INDENT, "", MAX_ELEMENTS);
        return;
    }
    if (!ranged && write_argument(l, name)) return;
    if (run_number(name, UINT64_MAX, &address))
        p.address = address, p.bytes = UINT64_MAX, p.type = type_named("i32", 3),
        snprintf(p.name, sizeof p.name, "0x%llx", (unsigned long long)address);
    else if (!find_piece(l, name, &p)) {
        fprintf(l->out,
                "%*sno `%s`: print takes a register (%%r1), threadIdx.x, an argument, a __shared__ or __device__ "
                "variable, or an address\n",
                INDENT, "", name);
        return;
    }
    if (type) p.type = type;
    if (!ranged) {
        const uint64_t count = p.bytes / p.type->bytes;
        last = count < DEFAULT_ELEMENTS ? count - (count > 0) : DEFAULT_ELEMENTS - 1;
        if (p.bytes == UINT64_MAX) last = 0;
    }
    write_piece(l, &p, first, last);
}

/* ---- lanes ---------------------------------------------------------------------------------- */
void run_look_lanes(const struct run_look *l) {
    struct sim_group group[SIM_WARP];
    const struct sim_where *w = sim_warp_where(l->warp);
    const unsigned count = sim_groups(l->warp, group);
    uint32_t gone = w->launched;
    char picture[SIM_WARP + 1];
    for (unsigned k = 0; k < count; k++) {
        const struct sim_group *g = &group[k];
        const bool ready = g->state == SIM_GROUP_READY;
        const struct run_line at = run_line_of(w->launch, l->sources, ready || !g->pc ? g->pc : g->pc - 1);
        gone &= ~g->mask;
        fprintf(l->out, "   %c %-32s  ", ready && g->mask == l->lanes ? '>' : ' ',
                run_mask_picture(g->mask, w->launched, picture));
        if (g->state == SIM_GROUP_BARRIER) fprintf(l->out, "waits at barrier %u, ", g->barrier);
        if (g->state == SIM_GROUP_SYNC) fprintf(l->out, "waits for other lanes, ");
        fprintf(l->out, "line %u: ", at.line);
        run_source_text(l->out, at.text ? at.text : "");
    }
    if (gone) fprintf(l->out, "     %-32s  ended\n", run_mask_picture(gone, w->launched, picture));
}
