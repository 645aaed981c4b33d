/* Shared by matrix.c and wgmma.c: rows and columns of matrices as numbers, and their products. */
#ifndef SIM_MATRIX_H
#define SIM_MATRIX_H

#include "sim/told.h"

enum { SIM_MOST_K = 256 };
struct sim_shape {
    unsigned m, n, k;
};
struct sim_shape sim_shape_of(const struct ptx_insn *p);
/* Gets the rows of a fragment's registers; returns their number. */
unsigned sim_fragment(const struct sim_warp *w, const struct sim_insn *i, unsigned k, void *rows[8]);
/* A row of A or a column of B. */
struct sim_line {
    double x[SIM_MOST_K];
    int exponent[SIM_MOST_K]; /* exponents of floats; 0 has a very low exponent */
    bool finite;
};
/* Returns element `e` of the lane's register as a number. */
double sim_number(const void *row, unsigned lane, unsigned e, enum ptx_type t);
void sim_put_number(void *row, unsigned lane, unsigned e, enum ptx_type t, double v);
/* Reads the elements of a register in all lanes: four lanes make a line, with columns from `first` on. */
void sim_numbers(struct sim_line line[8], unsigned first, const void *row, enum ptx_type t, unsigned in_word);
/* Sets the exponents of the `k` elements. */
void sim_line_complete(struct sim_line *line, unsigned k, enum ptx_type t);
/* The sum of c and the products of `k` elements. */
double sim_product(const struct sim_warp *w, const struct sim_line *a, const struct sim_line *b, unsigned k, double c,
                   const struct ptx_insn *p);
/* The row of an operand's register; NULL: the operand is not a register. */
void *sim_register_row(const struct sim_warp *w, const struct sim_insn *i, const struct ptx_operand *o);

#endif
