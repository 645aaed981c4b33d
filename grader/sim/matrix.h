/* Conversion between matrix fragments and numbers, and products of matrices. */
#ifndef SIM_MATRIX_H
#define SIM_MATRIX_H

#include "sim/report.h"

enum { SIM_MAX_K = 256 };
struct sim_shape {
    unsigned m, n, k;
};
struct sim_shape sim_shape_of(const struct ptx_insn *p); /* m x n products of k elements each */
/* Gets the register rows of operand `k`, a fragment. Returns the number of registers. */
unsigned sim_fragment(const struct sim_warp *w, const struct sim_insn *i, unsigned k, void *rows[8]);
/* A row of A or a column of B, as numbers. */
struct sim_line {
    double x[SIM_MAX_K];
    int exponent[SIM_MAX_K]; /* a zero has a very low exponent */
    bool finite;
};
/* Returns element `e` of a lane's register as a number. */
double sim_number(const void *row, unsigned lane, unsigned e, enum ptx_type t);
/* Stores `v`, converted to type `t`, as element `e` of a lane's register. */
void sim_put_number(void *row, unsigned lane, unsigned e, enum ptx_type t, double v);
/* Converts a register of all lanes to numbers; it holds `in_word` elements. Each group of four lanes fills one line
 * from column `first`. */
void sim_numbers(struct sim_line line[8], unsigned first, const void *row, enum ptx_type t, unsigned in_word);
/* Sets `exponent` and `finite` for the first `k` elements. */
void sim_line_complete(struct sim_line *line, unsigned k, enum ptx_type t);
/* Returns c plus the products of the first `k` elements, with the instruction's rounding. */
double sim_product(const struct sim_warp *w, const struct sim_line *a, const struct sim_line *b, unsigned k, double c,
                   const struct ptx_insn *p);
/* Returns the row of the operand's register, or NULL if the operand is not a register. */
void *sim_register_row(const struct sim_warp *w, const struct sim_insn *i, const struct ptx_operand *o);

#endif
