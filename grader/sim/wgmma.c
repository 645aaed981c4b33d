/* Matrix products of a warp group (wgmma). Four warps start a product and continue; wgmma.wait_group waits for the
 * result. B is in shared memory; A is in shared memory or in the warps' registers.
 *
 * Each warp computes its 16 rows when it starts the product, because compilers copy accumulators before the wait. Until
 * the wait, the operands in shared memory are reported as the source of a copy in flight, and probes/copies.c reports
 * threads that change them. */
#include "base/array.h"
#include "sim/matrix.h"
#include "sim/tile.h"
#include <stdlib.h>
#include <string.h>

enum {
    PIECE = 16,
    GROUP_WARPS = 4,
    ROWS = 16,
    MAX_COLUMNS = 256,
    SHARED_K = 32 /* bytes */
};

/* Up to 32 pieces of a matrix, reported in one event as if each lane read a piece of 16 bytes. */
struct source {
    const struct sim_insn *insn;
    uint32_t warp, call, group, mask; /* group: groups that the warp had committed before this product */
    const struct sim_object *object;
    uint64_t from[SIM_WARP];
};
struct sim_groups {
    struct source *item;
    unsigned count, capacity;
    uint32_t closed[SIM_MAX_WARPS];
    uint32_t fenced; /* the warps that have executed wgmma.fence */
};
static void clear_all(struct sim_block *b) {
    if (b->groups) b->groups->count = b->groups->fenced = 0, memset(b->groups->closed, 0, sizeof b->groups->closed);
}
static void free_all(struct sim_block *b) {
    if (b->groups) free(b->groups->item);
    free(b->groups);
}
static struct sim_groups *groups_of(struct sim_block *b) {
    if (!b->groups) b->groups = calloc(1, sizeof *b->groups);
    if (!b->groups) sim_out_of_memory(b->run);
    return b->groups;
}

/* ---- matrices in shared memory ----------------------------------------------------------------- */
/* A decoded matrix descriptor (PTX ISA, "Matrix Descriptor Format"). Without swizzling, eight 16-byte pieces are
 * contiguous. With swizzling, pieces are in lines of 32, 64 or 128 bytes. */
struct matrix {
    uint64_t start, leading, stride;
    unsigned swizzle; /* as in struct sim_tensor_map */
    bool turned;      /* the matrix is transposed: elements of a column of A, or of a row of B, are adjacent */
};
static struct matrix matrix_of(uint64_t descriptor, bool turned) {
    const unsigned mode = descriptor >> 62;
    return (struct matrix){.start = SIM_SHARED_WINDOW + (descriptor & 0x3fff) * PIECE,
                           .leading = (descriptor >> 16 & 0x3fff) * PIECE,
                           .stride = (descriptor >> 32 & 0x3fff) * PIECE,
                           .swizzle = mode ? 4 - mode : 0,
                           .turned = turned};
}
/* Returns the address of a piece: half `half` of row `row`. In a transposed matrix, a piece is element `row` of the
 * shared dimension for eight rows. */
static uint64_t piece_at(const struct matrix *m, unsigned row, unsigned half) {
    const uint64_t line = (uint64_t)PIECE << m->swizzle, in_line = 1u << m->swizzle;
    if (!m->swizzle)
        return m->start + row % 8 * PIECE +
               (m->turned ? row / 8 * m->leading + half * m->stride : row / 8 * m->stride + half * m->leading);
    const uint64_t at = m->turned ? half % in_line * PIECE + half / in_line * m->leading : half * (uint64_t)PIECE;
    return sim_swizzled(m->start + row / 8 * m->stride + row % 8 * line + at, m->swizzle);
}
static void put_piece(struct sim_line *lines, const uint8_t piece[PIECE], enum ptx_type t, bool turned, unsigned row,
                      unsigned half) {
    const unsigned bytes = ptx_type_bits(t) / 8, count = PIECE / bytes;
    uint32_t word[PIECE / 4];
    memcpy(word, piece, PIECE);
    for (unsigned e = 0; e < count; e++) {
        const double x = sim_number(word, e * bytes / 4, e % (4 / bytes), t);
        if (turned)
            lines[half * count + e].x[row] = x;
        else
            lines[row].x[half * count + e] = x;
    }
}
static void report_source(struct sim_warp *w, const struct source *s, bool begins) {
    uint8_t taken[SIM_WARP];
    uint64_t nowhere[SIM_WARP] = {0};
    const uint32_t call = w->where.call;
    memset(taken, PIECE, sizeof taken);
    const struct sim_copy_event e = {.where = &w->where,
                                     .pc = sim_pc(w, s->insn),
                                     .mask = s->mask,
                                     .begins = begins,
                                     .bulk = true,
                                     .product = true,
                                     .waits = w->where.warp,
                                     .source = s->object,
                                     .offset = nowhere,
                                     .from = s->from,
                                     .taken = taken};
    w->where.call = s->call;
    SIM_EMIT(w->block->run, copy, &e);
    w->where.call = call;
}
/* Reads `lines` lines of a matrix from line `first` and reports the accesses. */
static void read_matrix(struct sim_warp *w, const struct sim_insn *i, const struct matrix *m, enum ptx_type t,
                        unsigned first, unsigned lines, struct sim_line *to) {
    struct sim_groups *all = groups_of(w->block);
    const unsigned per_piece = PIECE * 8 / ptx_type_bits(t), rows = m->turned ? 2 * per_piece : lines,
                   halves = m->turned ? lines / per_piece : 2, from = m->turned ? first / per_piece : 0;
    for (unsigned n = 0; n < lines; n++) memset(to[n].x, 0, 2 * per_piece * sizeof *to[n].x);
    for (unsigned begin = 0; all && begin < rows * halves; begin += SIM_WARP) {
        struct source s = {
            .insn = i, .warp = w->where.warp, .call = w->where.call, .group = all->closed[w->where.warp]};
        for (unsigned l = 0; l < SIM_WARP && begin + l < rows * halves; l++) {
            const unsigned row = (begin + l) % rows, half = (begin + l) / rows;
            const uint64_t address = piece_at(m, m->turned ? row : first + row, from + half);
            const struct sim_memory *memory = sim_locate(w, i, l, address, PIECE, SIM_LOAD, &s.from[l]);
            if (!memory) continue;
            s.mask |= 1u << l, s.object = &memory->object;
            put_piece(to, memory->data + s.from[l], t, m->turned, row, half);
        }
        struct source *grown = array_room(all->item, all->count + 1, &all->capacity, sizeof *grown);
        if (!grown) return sim_out_of_memory(w->block->run);
        all->item = grown;
        if (!s.mask) continue;
        all->item[all->count++] = s;
        sim_report_access(w, &(struct sim_report){.pc = sim_pc(w, i),
                                                  .mask = s.mask,
                                                  .kind = SIM_LOAD,
                                                  .bytes = PIECE,
                                                  .object = s.object,
                                                  .offset = s.from});
        report_source(w, &s, true);
    }
}

/* ---- products ---------------------------------------------------------------------------------- */
static uint64_t descriptor_of(const struct sim_warp *w, const struct sim_insn *i, unsigned k) {
    const uint64_t *row = sim_register_row(w, i, &i->source->operand[k]);
    return row[__builtin_ctz(SIM_FULL)];
}
static void read_registers(struct sim_warp *w, const struct sim_insn *i, struct sim_line a[ROWS]) {
    const struct ptx_operand *o = &i->source->operand[1];
    const unsigned in_word = 32 / ptx_type_bits(i->source->type2);
    for (unsigned r = 0; r < o->count; r++)
        sim_numbers(a + 8 * (r % 2), r / 2 * 4 * in_word, sim_register_row(w, i, &o->elements[r]), i->source->type2,
                    in_word);
}
static const char *wrong_group(const struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const struct ptx_operand *a = &i->source->operand[1];
    const uint64_t base = UINT64_C(7) << 49;
    if (present != SIM_FULL || (w->where.warp / GROUP_WARPS + 1) * GROUP_WARPS > w->block->warp_count)
        return "started a product in a warp group that is not four whole warps";
    if (!w->block->groups || !(w->block->groups->fenced >> w->where.warp & 1))
        return "started its first product (wgmma) without wgmma.fence, so the product may not see values written to "
               "its registers";
    if ((a->kind == PTX_REGISTER && descriptor_of(w, i, 1) & base) || descriptor_of(w, i, 2) & base)
        return "used a matrix descriptor with a base offset, which the simulator does not support";
    return NULL;
}
/* Computes a warp's share of the product. A register has one accumulator, or two of .f16. Accumulator j of lane l is in
 * row l / 4, plus 8 if j / 2 is odd, and in column 8 * (j / 4) + 2 * (l % 4) + j % 2. */
static void do_wgmma(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    const struct ptx_insn *p = i->source;
    const unsigned k = SHARED_K * 8 / ptx_type_bits(p->type2), columns = p->columns;
    const struct ptx_operand *d = &p->operand[0];
    const bool narrow = p->type == PTX_F16;
    const uint32_t *scale = sim_register_row(w, i, &p->operand[3]);
    const bool adds = scale ? (*scale & 1) != p->operand[3].negated : p->operand[3].imm != 0;
    const char *wrong = wrong_group(w, i, present);
    struct sim_line *a = wrong ? NULL : calloc(ROWS + MAX_COLUMNS, sizeof *a), *b = a + ROWS;
    if (wrong) return sim_misuse(w, i, present, wrong);
    if (!a) return sim_out_of_memory(w->block->run);
    if (p->operand[1].kind == PTX_VECTOR) {
        read_registers(w, i, a);
    } else {
        const struct matrix m = matrix_of(descriptor_of(w, i, 1), p->product & PTX_TURNS_A);
        read_matrix(w, i, &m, p->type2, w->where.warp % GROUP_WARPS * ROWS, ROWS, a);
    }
    const struct matrix m = matrix_of(descriptor_of(w, i, 2), p->product & PTX_TURNS_B);
    read_matrix(w, i, &m, p->more[0], 0, columns, b);
    for (unsigned n = 0; n < ROWS; n++) {
        const bool minus = !(p->product & PTX_NEGATES_A) != !(p->product & PTX_NEGATES_B);
        for (unsigned e = 0; minus && e < k; e++) a[n].x[e] = -a[n].x[e];
        sim_line_complete(&a[n], k, p->type2);
    }
    for (unsigned n = 0; n < columns; n++) sim_line_complete(&b[n], k, p->more[0]);
    w->block->run->extra += SIM_PRODUCT_COST * columns / 8, w->block->run->products += columns / 8;
    for (unsigned j = 0; j < columns / 2; j++) {
        const unsigned e = narrow ? j % 2 : 0;
        void *row = sim_register_row(w, i, &d->elements[narrow ? j / 2 : j]);
        for (unsigned l = 0; l < SIM_WARP; l++) {
            const double c = adds ? sim_number(row, l, e, p->type) : 0;
            sim_put_number(row, l, e, p->type,
                           sim_product(w, &a[l / 4 + 8 * (j / 2 % 2)], &b[8 * (j / 4) + 2 * (l % 4) + j % 2], k, c, p));
        }
    }
    free(a);
}

/* ---- groups ------------------------------------------------------------------------------------ */
static void do_fence(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    struct sim_groups *all = groups_of(w->block);
    (void)i, (void)present;
    if (all) all->fenced |= 1u << w->where.warp;
}
static void do_commit(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    struct sim_groups *all = groups_of(w->block);
    (void)i, (void)present;
    if (all) all->closed[w->where.warp]++;
}
static void do_wait(struct sim_warp *w, const struct sim_insn *i, uint32_t present) {
    struct sim_groups *all = w->block->groups;
    unsigned kept = 0;
    (void)present;
    for (unsigned k = 0; all && k < all->count; k++) {
        const struct source *s = &all->item[k];
        const uint32_t closed = all->closed[w->where.warp];
        if (s->warp == w->where.warp && s->group < closed && closed - s->group > i->source->operand[0].imm)
            report_source(w, s, false);
        else
            all->item[kept++] = *s;
    }
    if (all) all->count = kept;
}
static void end_all(struct sim_block *b) {
    for (unsigned k = 0; b->groups && k < b->groups->count && !b->run->stopped; k++) {
        const struct source *s = &b->groups->item[k];
        struct sim_warp *w = &b->warps[s->warp];
        sim_misuse(w, s->insn, s->mask,
                   "started a product (wgmma), but no thread waited for it: its result is undefined");
        report_source(w, s, false);
    }
}
void sim_form_wgmma_mma(struct sim_insn *i) { sim_meet(i, do_wgmma, SIM_MATRIX); }
void sim_form_wgmma_fence(struct sim_insn *i) { sim_meet(i, do_fence, SIM_MATRIX); }
void sim_form_wgmma_commit(struct sim_insn *i) { sim_meet(i, do_commit, SIM_MATRIX); }
void sim_form_wgmma_wait(struct sim_insn *i) { sim_meet(i, do_wait, SIM_MATRIX); }
const struct sim_asynchronous sim_group_products = {clear_all, end_all, free_all};
