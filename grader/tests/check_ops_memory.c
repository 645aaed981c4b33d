/* Tests loads, stores and atomics: the rows ld, ldu, st, atom and red. Covers every type, state space, vector length
 * and modifier. Registers are as wide as the type and, for integers, also wider. The PTX ISA specifies the expected
 * bytes. */
/* run: 3 s, gpu */
/* reads: nothing */
#include "ptx/parser.h"
#include "tests/ops/edges.h"
#include "tests/ops/references.h"
#include "tests/ops/run.h"
#include "tests/effort.h"

enum { THREADS = 64, SLOT = 32, MAX = 8 }; /* SLOT: bytes of memory per thread; MAX: elements per vector */
struct access {
    enum ptx_op op;
    enum ptx_type type;
    enum ptx_space space;
    unsigned vec, width; /* number of elements; width of a register, in bits */
    char words[32];      /* modifiers, such as ".volatile" */
};
struct memory {
    uint8_t in[2][THREADS][SLOT];     /* the values to load, or the memory before a store */
    uint64_t registers[THREADS][MAX]; /* the registers before a load, or the values to store */
    uint64_t out[2][THREADS][MAX];
};

static void name_of(struct text *t, const struct access *a) {
    text_add(t, "%s%s%s%s", ptx_ops[a->op].mnemonic, a->words, a->space ? "." : "",
             a->space ? ptx_space_name(a->space) : "");
    if (a->vec > 1) text_add(t, ".v%u", a->vec);
    text_add(t, ".%s", ptx_type_name(a->type));
}
/* Returns the cache-policy operand if a modifier requires it; otherwise, returns "". */
static const char *policy(const char *words) { return strstr(words, "cache_hint") ? ", %to" : ""; }
static void vector(struct text *t, const struct access *a) {
    if (a->vec > 1) text_add(t, "{");
    for (unsigned k = 0; k < a->vec; k++) text_add(t, "%s%%e%u", k ? ", " : "", k);
    if (a->vec > 1) text_add(t, "}");
}
static unsigned size_of(const struct access *a) { return a->vec * ptx_type_bits(a->type) / 8; }

/* Writes the beginning of a kernel, which sets %slot to the thread's slot in the state space. The slots contain
 * m->in[0]. */
static void head(struct text *t, const struct access *a, const struct memory *m) {
    text_add(t, HEADER);
    if (a->space == PTX_CONST) {
        text_add(t, ".const .align 32 .b8 table[%d] = {", THREADS * SLOT);
        for (unsigned k = 0; k < THREADS * SLOT; k++) text_add(t, k ? ",%u" : "%u", (&m->in[0][0][0])[k]);
        text_add(t, "};\n");
    }
    text_add(t,
             ".visible .entry k(.param .u64 to, .param .u64 from) {\n.reg .pred %%on;\n.reg .b32 %%thread, %%rest;\n");
    text_add(t, ".reg .b64 %%to, %%from, %%slot, %%at, %%w<4>;\n.reg .b%u %%e<8>;\n", a->width);
    text_add(t, ".shared .align 32 .b8 buffer[%d];\n.local .align 32 .b8 depot[%d];\n", THREADS * SLOT, SLOT);
    text_add(t, UNTESTED "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%thread, %%tid.x;\n");
    text_add(t, "rem.u32 %%rest, %%thread, 3;\nsetp.ne.u32 %%on, %%rest, 1;\nmul.wide.u32 %%at, %%thread, %d;\n", SLOT);
    if (a->space == PTX_SHARED || a->space == PTX_CONST)
        text_add(t, "mov.u64 %%slot, %s;\nadd.s64 %%slot, %%slot, %%at;\n",
                 a->space == PTX_SHARED ? "buffer" : "table");
    else if (a->space == PTX_LOCAL)
        text_add(t, "mov.u64 %%slot, depot;\n");
    else
        text_add(t, "add.s64 %%slot, %%from, %%at;\n");
    text_add(t, "add.s64 %%from, %%from, %%at;\n");
    if (a->space == PTX_SHARED || a->space == PTX_LOCAL)
        for (unsigned k = 0; k < 4; k++)
            text_add(t, "ld.global.b64 %%w%u, [%%from+%u];\nst.%s.b64 [%%slot+%u], %%w%u;\n", k, 8 * k,
                     ptx_space_name(a->space), 8 * k, k);
    text_add(t, "mul.wide.u32 %%at, %%thread, %d;\nadd.s64 %%to, %%to, %%at;\n", 8 * MAX);
    text_add(t, "shl.b64 %%at, %%at, 0;\nld.param.u64 %%w0, [from];\nadd.s64 %%at, %%at, %%w0;\n");
}
/* Writes code that loads the registers, performs the access, and copies the registers or the memory to out[way]. If
 * `way` is 1, a guard disables the access in part of the threads. */
static void access_text(struct text *t, const struct access *a, unsigned way) {
    const bool load = a->op != PTX_OP_st;
    const size_t out = way * sizeof(((struct memory *)0)->out[0]);
    for (unsigned k = 0; k < a->vec; k++)
        text_add(t, "ld.global.b%u %%e%u, [%%at+%zu];\n", a->width, k, offsetof(struct memory, registers) + 8 * k);
    text_add(t, TESTED "%s", way ? "@%on " : "");
    name_of(t, a);
    text_add(t, " ");
    if (load) vector(t, a), text_add(t, ", ");
    if (a->space == PTX_PARAM)
        text_add(t, "[from]");
    else
        text_add(t, "[%%slot+%u]", SLOT - size_of(a));
    if (!load) text_add(t, ", "), vector(t, a);
    text_add(t, "%s;\n" UNTESTED, policy(a->words));
    for (unsigned k = 0; load && k < a->vec; k++)
        text_add(t, "st.global.b%u [%%to+%zu], %%e%u;\n", a->width, out + 8 * k, k);
    for (unsigned k = 0; !load && k < 4; k++) {
        const char *space = a->space ? ptx_space_name(a->space) : "global";
        text_add(t, "ld.%s.b64 %%w0, [%%slot+%u];\nst.global.b64 [%%to+%zu], %%w0;\n", space, 8 * k, out + 8 * k);
        text_add(t, "ld.global.b64 %%w0, [%%from+%u];\nst.%s.b64 [%%slot+%u], %%w0;\n", THREADS * SLOT + 8 * k, space,
                 8 * k);
    }
}
static uint64_t loaded(const struct access *a, const uint8_t *from, unsigned k) {
    const unsigned bits = ptx_type_bits(a->type);
    uint64_t v = 0;
    memcpy(&v, from + k * bits / 8, bits / 8);
    if (is_signed_type(a->type) && v >> (bits - 1) & 1) v |= ~low_bits(bits);
    return v & low_bits(a->width);
}
static void check_access(const struct access *a) {
    static struct memory m;
    static struct text t;
    static struct run r;
    struct text name = {.length = 0};
    uint64_t random = a->op * 1000 + a->type * 10 + a->vec;
    for (unsigned k = 0; k < offsetof(struct memory, out); k++) (&m.in[0][0][0])[k] = (uint8_t)random_next(&random);
    /* the guarded store must find the same memory as the store before it */
    memcpy(m.in[1], m.in[0], sizeof m.in[0]);
    name_of(&name, a);
    t.length = 0;
    head(&t, a, &m);
    access_text(&t, a, 0);
    access_text(&t, a, 1);
    text_add(&t, "ret;\n}\n");
    for (unsigned set = 0; set < SETS; set++) {
        if (!set_is_tested(set)) continue;
        memset(m.out, 0, sizeof m.out);
        r = (struct run){.text = t.data,
                         .isa = instruction_sets[set],
                         .block = {THREADS},
                         .in = &m,
                         .in_bytes = offsetof(struct memory, out),
                         .out = m.out,
                         .out_bytes = sizeof m.out};
        run(&r);
        ck_assert_msg(r.status == SIM_DONE && !r.faults, "%s faulted or stopped", name.data);
        for (unsigned n = 0; n < 2 * THREADS; n++) {
            const unsigned way = n / THREADS, l = n % THREADS;
            const bool on = !way || l % 3 != 1;
            uint64_t want[MAX] = {0};
            uint8_t slot[SLOT];
            memcpy(slot, m.in[0][l], SLOT);
            const uint8_t *from = a->space == PTX_PARAM ? (uint8_t *)&r.in_address : slot + SLOT - size_of(a);
            for (unsigned k = 0; k < a->vec && a->op == PTX_OP_st; k++)
                if (on)
                    memcpy(slot + SLOT - size_of(a) + k * ptx_type_bits(a->type) / 8, &m.registers[l][k],
                           ptx_type_bits(a->type) / 8);
            for (unsigned k = 0; k < a->vec && a->op != PTX_OP_st; k++)
                want[k] = on ? loaded(a, from, k) : m.registers[l][k] & low_bits(a->width);
            if (a->op == PTX_OP_st) memcpy(want, slot, SLOT);
            if (memcmp(want, m.out[way][l], sizeof want))
                ck_abort_msg("%s, registers of %u bits, %s, thread %u%s: got %llx %llx, expected %llx %llx", name.data,
                             a->width, r.isa, l, way ? " under a guard" : "", (unsigned long long)m.out[way][l][0],
                             (unsigned long long)m.out[way][l][1], (unsigned long long)want[0],
                             (unsigned long long)want[1]);
        }
    }
}

/* ---- all forms of a load or store -------------------------------------------------------------------------------- */
static bool has_space(enum ptx_op op, enum ptx_space s) {
    if (op == PTX_OP_ldu) return s == PTX_GENERIC || s == PTX_GLOBAL;
    return op == PTX_OP_ld || (s != PTX_CONST && s != PTX_PARAM);
}
static const enum ptx_mod scopes[] = {PTX_MOD_CTA, PTX_MOD_CLUSTER, PTX_MOD_GPU, PTX_MOD_SYS};
static void words_of(struct access *a) {
    for (int m = 1; m < PTX_MOD_COUNT; m++) {
        const char *text = ptx_mod_text((enum ptx_mod)m);
        unsigned group;
        if (ptx_mod_named(a->op, text, strlen(text), &group) != (enum ptx_mod)m || group == PTX_CLASS_VEC ||
            group == PTX_CLASS_SCOPE || !ptx_mod_allowed(a->op, a->type, PTX_NOTYPE, group, (enum ptx_mod)m))
            continue;
        const bool scoped = m == PTX_MOD_RELAXED || m == PTX_MOD_ACQUIRE || m == PTX_MOD_RELEASE;
        for (unsigned n = 0; n < (scoped ? sizeof scopes / sizeof *scopes : 1); n++) {
            const enum ptx_mod scope = scopes[n];
            snprintf(a->words, sizeof a->words, ".%s%s%s", text, scoped ? "." : "", scoped ? ptx_mod_text(scope) : "");
            check_access(a);
        }
    }
}
static const enum ptx_op moves[] = {PTX_OP_ld, PTX_OP_ldu, PTX_OP_st};
START_TEST(access_is_right) {
    const enum ptx_op op = moves[_i];
    for (int type = 1; type < PTX_TYPE_COUNT; type++) {
        if (!(ptx_ops[op].types >> type & 1)) continue;
        for (int s = PTX_GENERIC; s <= PTX_PARAM; s++)
            for (unsigned vec = 1; vec <= MAX; vec *= 2) {
                const unsigned bits = ptx_type_bits((enum ptx_type)type), width = bits < 16 ? 16 : bits;
                const bool floats = is_float_type((enum ptx_type)type) || is_pair_type((enum ptx_type)type);
                struct access a = {op, (enum ptx_type)type, (enum ptx_space)s, vec, width, ""};
                if (!has_space(op, a.space) || (op == PTX_OP_ldu && vec > 4)) continue;
                if (vec == 8 && (s != PTX_GLOBAL || bits != 32)) continue;
                if (size_of(&a) > (s == PTX_GLOBAL ? 32u : s == PTX_PARAM ? 8u : 16u)) continue;
                for (a.width = width; a.width <= (floats ? width : 64); a.width *= 2) check_access(&a);
            }
    }
    struct access a = {op, PTX_U32, PTX_GLOBAL, 1, 32, ""};
    words_of(&a);
}
END_TEST

/* ---- atomics ----------------------------------------------------------------------------------------------------- */
enum { CELLS = 1024 };
struct cells {
    uint64_t before[CELLS], x[CELLS], y[CELLS];
    uint64_t old[CELLS], after[CELLS];
};
static uint64_t combined(enum ptx_mod op, enum ptx_type t, uint64_t old, uint64_t x, uint64_t y, bool shared) {
    struct form f = {.op = PTX_OP_add_flt, .type = t};
    f.word[PTX_CLASS_FTZ] = t == PTX_F32 && !shared ? PTX_MOD_FTZ : PTX_MOD_NONE;
    const uint64_t v[3] = {old, x, 0};
    const bool less =
        extended(old, ptx_type_bits(t), is_signed_type(t)) < extended(x, ptx_type_bits(t), is_signed_type(t));
    switch (op) {
    case PTX_MOD_ADD:
        return is_float_type(t) || is_pair_type(t) ? ref_add_half(&f, v).first : (old + x) & low_bits(ptx_type_bits(t));
    case PTX_MOD_MIN: return less ? old : x;
    case PTX_MOD_MAX: return less ? x : old;
    case PTX_MOD_INC: return old >= x ? 0 : old + 1;
    case PTX_MOD_DEC: return old == 0 || old > x ? x : old - 1;
    case PTX_MOD_AND: return old & x;
    case PTX_MOD_OR: return old | x;
    case PTX_MOD_XOR: return old ^ x;
    case PTX_MOD_EXCH: return x;
    default: return old == x ? y : old; /* cas */
    }
}
static bool same_number(uint64_t a, uint64_t b, enum ptx_type t) {
    if (is_pair_type(t))
        return same_number(a & 0xffff, b & 0xffff, single_type(t)) && same_number(a >> 16, b >> 16, single_type(t));
    return a == b || (is_float_type(t) && is_nan_bits(a, t) && is_nan_bits(b, t));
}
static void check_atomic(enum ptx_op row, enum ptx_mod op, enum ptx_type type, enum ptx_space space,
                         const char *words) {
    static struct cells c;
    static struct text t;
    static struct run r;
    const unsigned bits = ptx_type_bits(type);
    const struct edges e = edges_of(type);
    const char *where = space == PTX_SHARED ? "shared" : "global";
    const bool returns = row == PTX_OP_atom;
    uint64_t random = op * 100 + type;
    char name[80];
    for (unsigned n = 0; n < CELLS; n++) {
        c.before[n] = n < e.count * e.count ? e.values[n % e.count] : random_value(type, &e, &random);
        c.x[n] = n < e.count * e.count ? e.values[n / e.count] : n % 3 ? random_value(type, &e, &random) : c.before[n];
        c.y[n] = random_value(type, &e, &random);
    }
    snprintf(name, sizeof name, "%s%s%s%s.%s%s.%s", ptx_ops[row].mnemonic, words, space ? "." : "",
             space ? ptx_space_name(space) : "", ptx_mod_text(op), is_half_type(type) ? ".noftz" : "",
             ptx_type_name(type));
    t.length = 0;
    text_add(&t,
             HEADER ".visible .entry k(.param .u64 to, .param .u64 from) {\n.reg .b32 %%thread;\n.reg .pred %%on;\n");
    text_add(&t, ".reg .b64 %%to, %%from, %%cell, %%at;\n.reg .b%u %%d, %%x, %%y;\n", bits);
    text_add(&t,
             ".shared .align 8 .b8 buffer[%d];\n" UNTESTED "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\n",
             8 * CELLS);
    text_add(&t,
             "mov.u32 %%thread, %%tid.x;\nmul.wide.u32 %%at, %%thread, 8;\nadd.s64 %%to, %%to, %%at;\nadd.s64 %%from, "
             "%%from, "
             "%%at;\nand.b32 %%thread, %%thread, 7;\nsetp.ne.u32 %%on, %%thread, 3;\n");
    if (space == PTX_SHARED)
        text_add(&t, "mov.u64 %%cell, buffer;\nadd.s64 %%cell, %%cell, %%at;\n");
    else
        text_add(&t, "add.s64 %%cell, %%to, %zu;\n", offsetof(struct cells, after) - offsetof(struct cells, old));
    text_add(&t, "ld.global.b%u %%d, [%%from];\nst.%s.b%u [%%cell], %%d;\n", bits, where, bits);
    text_add(&t, "ld.global.b%u %%x, [%%from+%zu];\nld.global.b%u %%y, [%%from+%zu];\n", bits,
             offsetof(struct cells, x), bits, offsetof(struct cells, y));
    text_add(&t, "mov.b%u %%d, %%y;\n" TESTED "@%%on %s %s[%%cell], %%x%s%s;\n" UNTESTED, bits, name,
             returns ? "%d, " : "", op == PTX_MOD_CAS ? ", %y" : "", policy(words));
    text_add(&t, "st.global.b%u [%%to], %%d;\nld.%s.b%u %%d, [%%cell];\nst.global.b%u [%%to+%zu], %%d;\nret;\n}\n",
             bits, where, bits, bits, offsetof(struct cells, after) - offsetof(struct cells, old));
    memset(c.old, 0, sizeof c.old + sizeof c.after);
    r = (struct run){.text = t.data,
                     .isa = instruction_sets[0],
                     .block = {CELLS},
                     .in = &c,
                     .in_bytes = offsetof(struct cells, old),
                     .out = c.old,
                     .out_bytes = sizeof c.old + sizeof c.after};
    run(&r);
    ck_assert_msg(r.status == SIM_DONE && !r.faults, "%s faulted or stopped", name);
    for (unsigned n = 0; n < CELLS; n++) {
        const bool on = n % 8 != 3;
        const uint64_t old = on && returns ? c.before[n] : c.y[n];
        const uint64_t after = on ? combined(op, type, c.before[n], c.x[n], c.y[n], space == PTX_SHARED) : c.before[n];
        if (c.old[n] == old && same_number(c.after[n], after, type)) continue;
        ck_abort_msg("%s of %llx with %llx %llx: returned %llx, left %llx, expected %llx, %llx", name,
                     (unsigned long long)c.before[n], (unsigned long long)c.x[n], (unsigned long long)c.y[n],
                     (unsigned long long)c.old[n], (unsigned long long)c.after[n], (unsigned long long)old,
                     (unsigned long long)after);
    }
}
/* ---- vectors of atomics ------------------------------------------------------------------------------------------ */
enum { VECTORS = 256, VECTOR_BYTES = 16 };
struct vectors {
    uint8_t before[VECTORS][VECTOR_BYTES], x[VECTORS][VECTOR_BYTES];
    uint8_t old[VECTORS][VECTOR_BYTES], after[VECTORS][VECTOR_BYTES];
};
static uint64_t element_of(const uint8_t *v, unsigned k, unsigned bytes) {
    uint64_t x = 0;
    memcpy(&x, v + k * bytes, bytes);
    return x;
}
static uint64_t combined_number(enum ptx_mod op, enum ptx_type t, uint64_t old, uint64_t x) {
    const struct form f = {.op = op == PTX_MOD_MIN ? PTX_OP_min_half : PTX_OP_max_half, .type = t};
    const uint64_t v[3] = {old, x, 0};
    return op == PTX_MOD_ADD ? combined(op, t, old, x, 0, false) : ref_extreme_half(&f, v).first;
}
static void vector_text(struct text *t, const char *prefix, unsigned vec) {
    for (unsigned k = 0; k < vec; k++) text_add(t, "%s%s%u", k ? ", " : "{", prefix, k);
    text_add(t, "}");
}
/* Writes code that sets %to and %from to the thread's vectors, and %on to false in one thread of eight. */
static void find_places(struct text *t) {
    text_add(t, "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%t, %%tid.x;\n");
    text_add(t, "mul.wide.u32 %%at, %%t, %d;\nadd.s64 %%to, %%to, %%at;\nadd.s64 %%from, %%from, %%at;\n",
             VECTOR_BYTES);
    text_add(t, "and.b32 %%t, %%t, 7;\nsetp.ne.u32 %%on, %%t, 3;\n");
}
static void run_vectors(const char *what, const struct text *t, struct vectors *c) {
    static struct run r;
    memset(c->old, 0, sizeof c->old + sizeof c->after);
    r = (struct run){.text = t->data,
                     .isa = instruction_sets[0],
                     .block = {VECTORS},
                     .in = c,
                     .in_bytes = offsetof(struct vectors, old),
                     .out = c->old,
                     .out_bytes = sizeof c->old + sizeof c->after};
    run(&r);
    ck_assert_msg(r.status == SIM_DONE && !r.faults, "%s: faulted or stopped", what);
}
static void check_vector_atomic(enum ptx_op row, enum ptx_mod op, enum ptx_type type, unsigned vec, const char *words) {
    static struct vectors c;
    static struct text t;
    const unsigned bits = ptx_type_bits(type), bytes = bits / 8;
    const struct edges e = edges_of(type);
    const bool returns = row == PTX_OP_atom_vector;
    uint64_t random = op * 100 + type;
    for (unsigned n = 0; n < VECTORS; n++)
        for (unsigned k = 0; k < vec; k++) {
            const uint64_t v[2] = {random_value(type, &e, &random), random_value(type, &e, &random)};
            memcpy(c.before[n] + k * bytes, &v[0], bytes), memcpy(c.x[n] + k * bytes, &v[1], bytes);
        }
    t.length = 0;
    text_add(&t, HEADER ".visible .entry k(.param .u64 to, .param .u64 from) {\n.reg .b32 %%t;\n.reg .pred %%on;\n");
    text_add(&t, ".reg .b64 %%to, %%from, %%at;\n.reg .b%u %%d<8>, %%x<8>;\n" UNTESTED, bits);
    find_places(&t);
    for (unsigned k = 0; k < vec; k++)
        text_add(
            &t,
            "ld.global.b%u %%d%u, [%%from+%u];\nst.global.b%u [%%to+%zu], %%d%u;\nld.global.b%u %%x%u, [%%from+%zu];\n",
            bits, k, k * bytes, bits, sizeof c.old + k * bytes, k, bits, k, sizeof c.before + k * bytes);
    text_add(&t, TESTED "@%%on %s%s.%s%s.v%u.%s ", ptx_ops[row].mnemonic, words, ptx_mod_text(op),
             type == PTX_F32 ? "" : ".noftz", vec, ptx_type_name(type));
    if (returns) vector_text(&t, "%d", vec), text_add(&t, ", ");
    text_add(&t, "[%%to+%zu], ", sizeof c.old);
    vector_text(&t, "%x", vec);
    text_add(&t, "%s;\n" UNTESTED, policy(words));
    for (unsigned k = 0; k < vec; k++) text_add(&t, "st.global.b%u [%%to+%u], %%d%u;\n", bits, k * bytes, k);
    text_add(&t, "ret;\n}\n");
    run_vectors("vectors", &t, &c);
    for (unsigned n = 0; n < VECTORS; n++)
        for (unsigned k = 0; k < vec; k++) {
            const uint64_t before = element_of(c.before[n], k, bytes), x = element_of(c.x[n], k, bytes);
            const uint64_t after = n % 8 == 3 ? before : combined_number(op, type, before, x);
            if (element_of(c.old[n], k, bytes) == before && same_number(element_of(c.after[n], k, bytes), after, type))
                continue;
            ck_abort_msg("%s of .v%u.%s, element %u of %llx with %llx: returned %llx, left %llx, expected %llx",
                         ptx_mod_text(op), vec, ptx_type_name(type), k, (unsigned long long)before,
                         (unsigned long long)x, (unsigned long long)element_of(c.old[n], k, bytes),
                         (unsigned long long)element_of(c.after[n], k, bytes), (unsigned long long)after);
        }
}
static bool allows(enum ptx_op row, enum ptx_type type, enum ptx_mod_class group, int m) {
    return ptx_mod_allowed(row, type, PTX_NOTYPE, group, (enum ptx_mod)m);
}
START_TEST(vector_atomic_is_right) {
    const enum ptx_op row = _i ? PTX_OP_red_vector : PTX_OP_atom_vector;
    unsigned forms = 0;
    for (int type = 1; type < PTX_TYPE_COUNT; type++)
        for (int op = 1; op < PTX_MOD_COUNT; op++)
            for (unsigned vec = 2; vec <= 8; vec *= 2) {
                const int word = vec == 2 ? PTX_MOD_V2 : vec == 4 ? PTX_MOD_V4 : PTX_MOD_V8;
                if (!(ptx_ops[row].types >> type & 1) || !allows(row, (enum ptx_type)type, PTX_CLASS_OPERATION, op) ||
                    !allows(row, (enum ptx_type)type, PTX_CLASS_VEC, word))
                    continue;
                check_vector_atomic(row, (enum ptx_mod)op, (enum ptx_type)type, vec, forms % 2 ? "" : ".global");
                forms++;
            }
    ck_assert_uint_gt(forms, 20);
    for (int sem = 1; sem < PTX_MOD_COUNT; sem++)
        for (int scope = 1; scope < PTX_MOD_COUNT; scope++) {
            char words[48];
            if (!allows(row, PTX_F32, PTX_CLASS_SEM, sem) || !allows(row, PTX_F32, PTX_CLASS_SCOPE, scope)) continue;
            snprintf(words, sizeof words, ".%s.%s.global", ptx_mod_text((enum ptx_mod)sem),
                     ptx_mod_text((enum ptx_mod)scope));
            check_vector_atomic(row, PTX_MOD_ADD, PTX_F32, 4, words);
        }
    check_vector_atomic(row, PTX_MOD_ADD, PTX_F32, 4, ".L2::cache_hint.global");
}
END_TEST
/* Tests an exchange, which stores x, or a compare-and-swap. If memory contains x, as in half of the cells, the
 * compare-and-swap stores x with its halves swapped. */
static void check_pair(enum ptx_mod op, const char *words) {
    static struct vectors c;
    static struct text t;
    uint64_t random = op;
    for (unsigned n = 0; n < VECTORS; n++)
        for (unsigned k = 0; k < VECTOR_BYTES; k++) {
            c.before[n][k] = (uint8_t)random_next(&random);
            c.x[n][k] = n % 2 ? c.before[n][k] : k ? (uint8_t)random_next(&random) : (uint8_t)~c.before[n][k];
        }
    t.length = 0;
    text_add(&t, HEADER ".visible .entry k(.param .u64 to, .param .u64 from) {\n.reg .b32 %%t;\n.reg .pred %%on;\n");
    text_add(&t, ".reg .b64 %%to, %%from, %%at, %%a, %%b;\n.reg .b128 %%d, %%x, %%y;\n" UNTESTED);
    find_places(&t);
    text_add(&t, "ld.global.b128 %%d, [%%from];\n");
    text_add(&t, "st.global.b128 [%%to+%zu], %%d;\nld.global.b128 %%x, [%%from+%zu];\n", sizeof c.old, sizeof c.before);
    text_add(&t, "mov.b128 {%%a, %%b}, %%x;\nmov.b128 %%y, {%%b, %%a};\n" TESTED "@%%on atom%s.%s.b128 %%d, ", words,
             ptx_mod_text(op));
    text_add(&t, "[%%to+%zu], %%x%s%s;\n" UNTESTED "st.global.b128 [%%to], %%d;\nret;\n}\n", sizeof c.old,
             op == PTX_MOD_CAS ? ", %y" : "", policy(words));
    run_vectors("pairs", &t, &c);
    for (unsigned n = 0; n < VECTORS; n++) {
        uint8_t after[VECTOR_BYTES];
        memcpy(after, c.before[n], sizeof after);
        if (n % 8 != 3 && op == PTX_MOD_EXCH) memcpy(after, c.x[n], sizeof after);
        if (n % 8 != 3 && op == PTX_MOD_CAS && n % 2) memcpy(after, c.x[n] + 8, 8), memcpy(after + 8, c.x[n], 8);
        ck_assert_msg(!memcmp(c.old[n], c.before[n], VECTOR_BYTES) && !memcmp(c.after[n], after, VECTOR_BYTES),
                      "%s of .b128, thread %u", ptx_mod_text(op), n);
    }
}
START_TEST(pair_is_right) {
    static const enum ptx_mod operations[] = {PTX_MOD_EXCH, PTX_MOD_CAS};
    const enum ptx_mod op = operations[_i];
    check_pair(op, ""), check_pair(op, ".global"), check_pair(op, ".L2::cache_hint.global");
    for (int sem = 1; sem < PTX_MOD_COUNT; sem++)
        for (int scope = 1; scope < PTX_MOD_COUNT; scope++) {
            char words[48];
            if (!allows(PTX_OP_atom_pair, PTX_B64, PTX_CLASS_SEM, sem) ||
                !allows(PTX_OP_atom_pair, PTX_B64, PTX_CLASS_SCOPE, scope))
                continue;
            snprintf(words, sizeof words, ".%s.%s.global", ptx_mod_text((enum ptx_mod)sem),
                     ptx_mod_text((enum ptx_mod)scope));
            check_pair(op, words);
        }
}
END_TEST
static const enum ptx_space atomic_spaces[] = {PTX_GENERIC, PTX_GLOBAL, PTX_SHARED};
START_TEST(atomic_is_right) {
    const enum ptx_op row = _i ? PTX_OP_red : PTX_OP_atom;
    unsigned forms = 0;
    for (int type = 1; type < PTX_TYPE_COUNT; type++)
        for (int op = 1; op < PTX_MOD_COUNT; op++) {
            if (!(ptx_ops[row].types >> type & 1) ||
                !ptx_mod_allowed(row, (enum ptx_type)type, PTX_NOTYPE, PTX_CLASS_OPERATION, (enum ptx_mod)op))
                continue;
            for (unsigned s = 0; s < 3; s++)
                check_atomic(row, (enum ptx_mod)op, (enum ptx_type)type, atomic_spaces[s], ""), forms++;
        }
    ck_assert_uint_gt(forms, 20);
    for (int sem = 1; sem < PTX_MOD_COUNT; sem++)
        for (int scope = 1; scope < PTX_MOD_COUNT; scope++) {
            char words[32];
            if (!ptx_mod_allowed(row, PTX_U32, PTX_NOTYPE, PTX_CLASS_SEM, (enum ptx_mod)sem) ||
                !ptx_mod_allowed(row, PTX_U32, PTX_NOTYPE, PTX_CLASS_SCOPE, (enum ptx_mod)scope))
                continue;
            snprintf(words, sizeof words, ".%s.%s", ptx_mod_text((enum ptx_mod)sem), ptx_mod_text((enum ptx_mod)scope));
            check_atomic(row, PTX_MOD_ADD, PTX_U32, PTX_GLOBAL, words);
        }
    check_atomic(row, PTX_MOD_ADD, PTX_U32, PTX_GLOBAL, ".L2::cache_hint");
}
END_TEST
START_TEST(every_form_was_run) {
    if (effort(1, 0)) coverage_check(TESTED_BY_MEMORY);
}
END_TEST

int main(void) {
    TCase *t = tcase_create("memory");
    coverage_begin();
    add_rows(t, access_is_right, sizeof moves / sizeof *moves, effort(1, 4));
    add_rows(t, atomic_is_right, 2, effort(1, 2));
    add_rows(t, vector_atomic_is_right, 2, effort(1, 2));
    add_rows(t, pair_is_right, 2, effort(1, 2));
    tcase_add_test(t, every_form_was_run);
    return run_suite("ops_memory", t);
}
