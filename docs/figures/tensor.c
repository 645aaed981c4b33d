/* The figure of lab 12: data times ones, and which lane holds which elements. */
#include "draw.h"

enum { SIDE = 20, ROWS = 16, COLUMNS = 16, SUMS = 8, GAP = 66 };

static int top_of(int row) { return TOP + 26 + row * SIDE; }
static void cell(FILE *f, int x, int row, const char *class, const char *text_class, const char *text) {
    fprintf(f, "<rect class=\"cell %s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", class, x, top_of(row), SIDE,
            SIDE);
    if (text) label(f, text_class, x + SIDE / 2, top_of(row) + 14, text);
}
/* Lane 0 holds parts of rows 0 and 8: columns 0, 1, 8 and 9 of A, columns 0 and 1 of C. */
static bool is_lane_0(int row, int column) { return row % 8 == 0 && column % 8 < 2; }
void draw_tensor(FILE *f) {
    const int a = LEFT, b = a + COLUMNS * SIDE + GAP, c = b + SUMS * SIDE + GAP;
    char text[16];
    open_svg(f, c + SUMS * SIDE + RIGHT, top_of(ROWS) + 74, "Data times ones: a matrix product adds 256 halves",
             "A has 16 rows of 16 halves, the data. B has 16 rows of 8 ones. In each row of C, all 8 columns hold the "
             "sum of the same row of A. Lane 0 holds 8 elements of A in rows 0 and 8, and 4 elements of C in the same "
             "rows. The lanes whose number is a multiple of 4 hold column 0 of C, which has each row once.");
    label(f, "mid", a + COLUMNS * SIDE / 2, TOP + 12, "A: 256 halves of the input");
    label(f, "mid", b + SUMS * SIDE / 2, TOP + 12, "B: ones");
    label(f, "mid", c + SUMS * SIDE / 2, TOP + 12, "C: floats");
    for (int row = 0; row < ROWS; row++) {
        for (int k = 0; k < COLUMNS; k++)
            cell(f, a + k * SIDE, row, is_lane_0(row, k) ? "working" : "element", "", NULL);
        for (int k = 0; k < SUMS; k++) {
            cell(f, b + k * SIDE, row, "idle", "mid", "1");
            cell(f, c + k * SIDE, row, is_lane_0(row, k) ? "working" : k ? "dead" : "element", "", NULL);
        }
        snprintf(text, sizeof text, "lane %d", row % 8 * 4);
        label(f, "note", c + SUMS * SIDE + 8, top_of(row) + 14, text);
        label(f, "note code", c + SUMS * SIDE + 62, top_of(row) + 14, row < 8 ? "c[0]" : "c[2]");
    }
    label(f, "mid heading", a + COLUMNS * SIDE + GAP / 2, top_of(8), "*");
    label(f, "mid heading", b + SUMS * SIDE + GAP / 2, top_of(8), "=");
    label(
        f, "note", a, top_of(ROWS) + 24,
        "Green: the fragments of lane 0. It loads its fragment of A with one 16-byte load. The order of elements in A "
        "does not change their sum.");
    label(f, "note", a, top_of(ROWS) + 46,
          "Blue, in C: column 0, which has each row's sum once. The other columns repeat these sums.");
    fprintf(f, "</svg>\n");
}
