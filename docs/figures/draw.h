/* Drawing primitives of the figures: boxes in columns of one element each, arrows, labels. Each subject has its own
 * file of figures; figures.c has the table of all figures. */
#ifndef FIGURES_DRAW_H
#define FIGURES_DRAW_H

#include <stdbool.h>
#include <stdio.h>

enum { ELEMENTS = 16 /* columns */ };
enum { LEFT = 128, TOP = 62, PITCH = 46, CELL_W = 38, CELL_H = 26, RIGHT = 162, ROW = 54 };

/* Colors are classes of CSS, light and dark, in draw.c. Units are pixels. */
void open_svg(FILE *f, int width, int height, const char *title, const char *desc);
int center(int element); /* x of the middle of a column */
void box(FILE *f, int x, int y, bool round, const char *class, const char *text_class, const char *text);
void arrow(FILE *f, int x0, int y0, int x1, int y1);
void label(FILE *f, const char *class, int x, int y, const char *text);
void barrier_line(FILE *f, int y);

/* warmup.c */
void draw_launch(FILE *f);
void draw_levels(FILE *f);
void draw_halving(FILE *f);

/* ordered.c */
void draw_ordered(FILE *f);
void draw_pairs(FILE *f);

/* bandwidth.c */
void draw_vectors(FILE *f);
void draw_in_flight(FILE *f);

/* cluster.c */
void draw_cluster(FILE *f);

/* tensor.c */
void draw_tensor(FILE *f);

/* points.c */
void draw_points(FILE *f);

#endif
