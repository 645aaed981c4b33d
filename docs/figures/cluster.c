/* The figure of lab 11: blocks in a cluster, whose shared memory the first one reads. */
#include "draw.h"

enum { BLOCKS = 4, COLUMNS = ELEMENTS / BLOCKS };

static int column(int block) { return center(block * COLUMNS) + (COLUMNS - 1) * PITCH / 2; }
static void cluster_barrier(FILE *f, int y) {
    const int end = LEFT + ELEMENTS * PITCH;
    fprintf(f, "<path class=\"barrier\" d=\"M%d %dH%d\"/>\n", LEFT, y, end);
    label(f, "note code", end + 8, y + 4, "cluster.sync()");
}
void draw_cluster(FILE *f) {
    char text[32];
    int y = TOP;
    open_svg(f, LEFT + ELEMENTS * PITCH + RIGHT, TOP + 7 * ROW, "A cluster of 4 blocks reduces together",
             "Each block reduces its elements and stores the result in its own shared memory. After the cluster's "
             "barrier, the block of rank 0 reads the results from the shared memory of all blocks and combines them. "
             "After a second barrier, the other blocks end, and block 0 writes one partial for the cluster.");
    label(f, "end", LEFT - 8, y + 18, "blocks");
    for (int b = 0; b < BLOCKS; b++) {
        snprintf(text, sizeof text, "r%d", b);
        box(f, column(b), y, true, "working", "on", text);
        arrow(f, column(b), y + CELL_H, column(b), y + 2 * ROW - 1);
        label(f, "mid code", column(b), y + ROW + 14, "block_reduce");
        box(f, column(b), y + 2 * ROW, false, "element", "", "s[0]");
    }
    y += 2 * ROW;
    label(f, "end", LEFT - 8, y + 18, "shared");
    cluster_barrier(f, y + CELL_H + 10);
    for (int b = 0; b < BLOCKS; b++) arrow(f, column(b), y + CELL_H, column(0) + 10 * b, y + 2 * ROW - 1);
    label(f, "note code", column(1) + 40, y + 2 * ROW + 18, "map_shared_rank(s, r)");
    y += 2 * ROW;
    box(f, column(0), y, true, "working", "on", "r0");
    label(f, "end", LEFT - 8, y + 18, "rank 0");
    cluster_barrier(f, y + CELL_H + 10);
    arrow(f, column(0), y + CELL_H, column(0), y + 2 * ROW - 1);
    for (int b = 1; b < BLOCKS; b++) label(f, "mid note", column(b), y + 2 * ROW + 18, "ends");
    y += 2 * ROW;
    box(f, column(0), y, false, "element", "", "p");
    label(f, "mid note", column(0) + 64, y + CELL_H + 20, "one partial and one ticket for the cluster");
    fprintf(f, "</svg>\n");
}
