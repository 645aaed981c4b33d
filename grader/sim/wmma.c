/* wmma: a warp loads, multiplies and stores whole matrices (PTX ISA, "Matrix multiply-accumulate operation using
 * wmma instructions"). The PTX ISA does not say which lane has which elements. Here, the lanes share a matrix row by
 * row. B with elements smaller than a byte is shared column by column, because its columns are contiguous in memory. If
 * a shape has more .f16 registers than elements, the other registers have copies. */
#include "sim/matrix.h"
#include <string.h>

enum { AT_ONCE = 16, MAX_PLACES = 32 * 16 };
struct share {
    enum ptx_type type;
    unsigned rows, columns, count; /* dimensions of the matrix; elements per lane */
    unsigned in_word, registers;
    bool turned;  /* `rows` and `columns` are those of the transposed matrix */
    bool by_rows; /* the matrix with these `rows` and `columns` is in row-major order in memory */
    void *row[8];
};
static struct share share_of(const struct sim_warp *w, const struct sim_insn *i, unsigned k, char matrix,
                             enum ptx_type t) {
    const struct sim_shape s = sim_shape_of(i->source);
    const bool turned = matrix == 'b' && ptx_type_bits(t) < 8;
    struct share f = {.type = t,
                      .rows = matrix != 'b' ? s.m
                              : turned      ? s.n
                                            : s.k,
                      .columns = matrix == 'a' || turned ? s.k : s.n,
                      .turned = turned};
    f.by_rows = (ptx_mod_of(i->source, PTX_CLASS_LAYOUT) == PTX_MOD_ROWS) != turned;
    f.count = f.rows * f.columns / SIM_WARP, f.in_word = t == PTX_F64 ? 1 : 32 / ptx_type_bits(t);
    f.registers = sim_fragment(w, i, k, f.row);
    return f;
}
/* Returns element `e` of a lane's fragment. */
static double share_get(const struct share *f, unsigned lane, unsigned e) {
    return sim_number(f->row[e / f->in_word], lane, e % f->in_word, f->type);
}
static unsigned place_in(const struct share *f, unsigned lane, unsigned e) { return lane * f->count + e; }
static char matrix_moved(const struct ptx_insn *p) {
    return p->op == PTX_OP_wmma_load_a ? 'a' : p->op == PTX_OP_wmma_load_b ? 'b' : 'c';
}
/* Each element's location in memory, indexed by place_in(). `at` is NULL if the address is invalid or the element is
 * not needed. */
struct places {
    uint8_t *at[MAX_PLACES];
    uint64_t offset[MAX_PLACES];
    const struct sim_object *object[MAX_PLACES];
};
/* Returns the matrix as loads and stores move it: elements smaller than a byte move as 32-bit words. */
static struct share in_memory(struct share f) {
    if (ptx_type_bits(f.type) >= 8) return f;
    f.columns /= f.in_word, f.count /= f.in_word, f.in_word = 1, f.type = PTX_B32;
    return f;
}
/* Finds each element's location. All lanes must pass the same address, so the first lane's is used. */
static void find_places(struct sim_warp *w, const struct sim_insn *i, const struct share *f, uint32_t present,
                        enum sim_access_kind kind, struct places *to) {
    const struct ptx_insn *p = i->source;
    const bool load = kind == SIM_LOAD;
    const unsigned bytes = ptx_type_bits(f->type) / 8, first = (unsigned)__builtin_ctz(present);
    const uint64_t base = sim_address_of(w, i, load, load ? i->a : i->d, first, p->space);
    /* The distance between rows or columns counts elements, but small elements move as words. */
    const unsigned in_element = 8 * bytes / ptx_type_bits(p->type);
    const uint64_t apart = p->count > 2 ? ((const uint32_t *)sim_row(w, i->b))[first] / in_element
                           : f->by_rows ? f->columns
                                        : f->rows;
    memset(to->at, 0, sizeof to->at);
    for (unsigned e = 0; e < f->count; e++)
        SIM_EACH_LANE (l, present) {
            const unsigned n = place_in(f, l, e), row = n / f->columns, column = n % f->columns;
            const uint64_t address = base + bytes * (f->by_rows ? row * apart + column : column * apart + row);
            struct sim_memory *m = sim_locate(w, i, l, address, bytes, kind, &to->offset[n]);
            if (!m || (!load && m->object.read_only)) continue;
            to->object[n] = &m->object;
            to->at[n] = sim_at(w->block->run->sim, m, to->offset[n], !load);
            if (!to->at[n]) sim_out_of_memory(w->block->run);
        }
}
/* Returns how many adjacent elements a lane accesses in one operation, at most 16 bytes. This is a model: NVIDIA does
 * not document which lane accesses which elements. */
static unsigned at_once(const struct share *f, unsigned line, unsigned bytes) {
    unsigned count = f->count;
    while (count > 1 && (count * bytes > AT_ONCE || line % count)) count /= 2;
    return count;
}
/* Reports the accesses. Consecutive lanes access consecutive elements in memory. */
static void report_places(struct sim_warp *w, const struct sim_insn *i, const struct share *f, uint32_t present,
                          enum sim_access_kind kind, const struct places *p) {
    const bool rows = f->by_rows;
    const unsigned line = rows ? f->columns : f->rows, bytes = ptx_type_bits(f->type) / 8,
                   count = at_once(f, line, bytes);
    for (unsigned e = 0; e < f->count; e += count) {
        uint64_t offset[SIM_WARP] = {0};
        const struct sim_object *object[SIM_WARP] = {NULL};
        uint32_t todo = 0;
        SIM_EACH_LANE (l, present) {
            bool good = true;
            for (unsigned k = 0; k < count; k++) {
                const unsigned m = e * SIM_WARP + l * count + k,
                               n = rows ? m
                                        : m % line * f->columns +
                                              m / line; /* m: index in memory; n: index in the matrix */
                good &= p->at[n] && (!k || (p->object[n] == object[l] && p->offset[n] == offset[l] + k * bytes));
                if (!k) object[l] = p->object[n], offset[l] = p->offset[n];
            }
            if (good) todo |= 1u << l;
        }
        while (todo) {
            uint32_t same = 0;
            SIM_EACH_LANE (l, todo)
                if (object[l] == object[__builtin_ctz(todo)]) same |= 1u << l;
            sim_report_access(w, &(struct sim_report){.pc = sim_pc(w, i),
                                                      .mask = same,
                                                      .kind = kind,
                                                      .bytes = count * bytes,
                                                      .offset = offset,
                                                      .object = object[__builtin_ctz(todo)]});
            todo &= ~same;
        }
    }
}
static void do_wmma_load(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const struct share f = in_memory(share_of(w, i, 0, matrix_moved(i->source), i->source->type));
    const unsigned bytes = ptx_type_bits(f.type) / 8, in_register = f.type == PTX_F64 ? 8 : 4;
    struct places p;
    find_places(w, i, &f, present, SIM_LOAD, &p);
    if (w->block->run->stopped) return;
    report_places(w, i, &f, present, SIM_LOAD, &p);
    for (unsigned e = 0; e < f.registers * f.in_word; e++) /* some shapes need copies of A's and B's elements */
        SIM_EACH_LANE (l, present) {
            const uint8_t *at = p.at[place_in(&f, l, e % f.count)];
            if (at) memcpy((uint8_t *)f.row[e / f.in_word] + l * in_register + e % f.in_word * bytes, at, bytes);
        }
}
static void do_wmma_store(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const struct share f = share_of(w, i, 1, 'c', i->source->type);
    const unsigned bytes = ptx_type_bits(f.type) / 8, in_register = f.type == PTX_F64 ? 8 : 4;
    struct places p;
    find_places(w, i, &f, present, SIM_STORE, &p);
    if (w->block->run->stopped) return;
    report_places(w, i, &f, present, SIM_STORE, &p);
    for (unsigned e = 0; e < f.count; e++)
        SIM_EACH_LANE (l, present) {
            uint8_t *at = p.at[place_in(&f, l, e)];
            if (at) memcpy(at, (const uint8_t *)f.row[e / f.in_word] + l * in_register + e % f.in_word * bytes, bytes);
        }
    w->block->run->changes++;
}
static void do_wmma(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const struct ptx_insn *p = i->source;
    const bool named = (ptx_traits_of(p)->more_types == 2);
    const struct share d = share_of(w, i, 0, 'c', p->type), a = share_of(w, i, 1, 'a', named ? p->type2 : PTX_F16),
                       b = share_of(w, i, 2, 'b', named ? p->more[0] : PTX_F16),
                       c = share_of(w, i, 3, 'c', named ? p->type : p->type2);
    struct sim_line rows[32], columns[32];
    double sums[32 * 32];
    w->block->run->extra += SIM_PRODUCT_COST, w->block->run->products++;
    for (unsigned l = 0; l < SIM_WARP; l++) {
        for (unsigned e = 0; e < a.count; e++)
            rows[place_in(&a, l, e) / a.columns].x[place_in(&a, l, e) % a.columns] = share_get(&a, l, e);
        for (unsigned e = 0; e < b.count; e++) {
            const unsigned n = place_in(&b, l, e), row = n / b.columns, column = n % b.columns;
            columns[b.turned ? row : column].x[b.turned ? column : row] = share_get(&b, l, e);
        }
    }
    for (unsigned n = 0; n < a.rows; n++) sim_line_complete(&rows[n], a.columns, a.type);
    for (unsigned n = 0; n < d.columns; n++) sim_line_complete(&columns[n], a.columns, b.type);
    for (unsigned l = 0; l < SIM_WARP; l++)
        for (unsigned e = 0; e < d.count; e++) {
            const unsigned n = place_in(&d, l, e);
            sums[n] = sim_product(w, &rows[n / d.columns], &columns[n % d.columns], a.columns, share_get(&c, l, e), p);
        }
    SIM_EACH_LANE (l, present)
        for (unsigned e = 0; e < d.count; e++)
            sim_put_number(d.row[e / d.in_word], l, e % d.in_word, d.type, sums[place_in(&d, l, e)]);
}

void sim_form_wmma_load(struct sim_insn *i) { sim_meet(i, do_wmma_load, SIM_MATRIX); }
void sim_form_wmma_store(struct sim_insn *i) { sim_meet(i, do_wmma_store, SIM_MATRIX); }
void sim_form_wmma(struct sim_insn *i) { sim_meet(i, do_wmma, SIM_MATRIX); }
