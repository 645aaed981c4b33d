/* Figures of lab 8, a block that keeps its operands in order, and of lab 10, pairs. */
#include "draw.h"

enum { M = 4, N = 12 };
/* The combination of elements first to last; empty if last < first. */
struct piece {
    int first, last;
};

static void places(FILE *f, int y, const struct piece *s, const bool *live, int count) {
    char text[16];
    label(f, "end code", LEFT - 8, y + 18, "s");
    for (int k = 0; k < count; k++) {
        if (s[k].first == s[k].last)
            snprintf(text, sizeof text, "%d", s[k].first);
        else
            snprintf(text, sizeof text, "%d-%d", s[k].first, s[k].last);
        box(f, center(k), y, false, live[k] ? "element" : "dead", live[k] ? "" : "faint", text);
    }
}
/* Thread t combines places from and from + apart into place to. */
static void pair(FILE *f, int y, int t, int from, int apart, int to) {
    char text[16];
    const int x = (center(from) + center(from + apart)) / 2, threads_y = y + ROW;
    snprintf(text, sizeof text, "t%d", t);
    arrow(f, center(from), y + CELL_H, x - 6, threads_y - 1);
    arrow(f, center(from + apart), y + CELL_H, x + 6, threads_y - 1);
    box(f, x, threads_y, true, "working", "on", text);
    arrow(f, x, threads_y + CELL_H, center(to), y + 2 * ROW - 1);
}
void draw_ordered(FILE *f) {
    struct piece s[2 * M];
    bool live[2 * M];
    int y = TOP, next = M;
    open_svg(f, LEFT + ELEMENTS * PITCH + RIGHT, TOP + 8 * ROW + CELL_H + 26,
             "Operands in order: 4 threads, 12 elements, 8 places",
             "Places 0 to 3 hold the result so far, in order. The next four elements go to places 4 to 7. The threads "
             "combine pairs of neighbors into places 0 to 3, and repeat this while elements remain. Then a tree "
             "combines neighbors with strides 1 and 2. Each value names its elements, which are always contiguous.");
    for (int k = 0; k < 2 * M; k++) live[k] = true;
    for (int k = 0; k < M; k++) s[k] = (struct piece){k, k};
    for (; next < N; next += M, y += 2 * ROW) {
        for (int k = 0; k < M; k++) s[M + k] = (struct piece){next + k, next + k};
        places(f, y, s, live, 2 * M);
        barrier_line(f, y + CELL_H + 7);
        label(f, "note", center(2 * M) - 8, y + 18,
              next == M ? "the first 2M elements" : "the upper half, filled again");
        for (int t = 0; t < M; t++) {
            pair(f, y, t, 2 * t, 1, t);
            s[t] = (struct piece){s[2 * t].first, s[2 * t + 1].last};
        }
        label(f, "note", center(2 * M) - 8, y + ROW + 18, "thread t combines 2t and 2t + 1");
        barrier_line(f, y + ROW + CELL_H + 7);
    }
    barrier_line(f, y + CELL_H + 7);
    for (int stride = 1; stride < M; stride *= 2, y += 2 * ROW) {
        char text[64];
        places(f, y, s, live, M);
        for (int k = 0; k < M; k++) live[k] = false;
        for (int t = 0; 2 * stride * t < M; t++) {
            const int k = 2 * stride * t;
            pair(f, y, t, k, stride, k);
            s[k].last = s[k + stride].last;
            live[k] = true;
        }
        snprintf(text, sizeof text, "the tree, stride %d: places %dt", stride, 2 * stride);
        label(f, "note", center(2 * M) - 8, y + ROW + 18, text);
        barrier_line(f, y + 2 * ROW + CELL_H + 7);
    }
    places(f, y, s, live, M);
    fprintf(f, "</svg>\n");
}

/* ---- pairs: the largest value and the lowest of its indices ---- */
void draw_pairs(FILE *f) {
    enum { LANES = 8 };
    int value[LANES] = {3, 7, 1, 5, 7, 2, 7, 4}, place[LANES] = {6, 5, 1, 7, 2, 0, 3, 4}, y = TOP;
    char text[80];
    open_svg(f, LEFT + LANES * PITCH + 330, TOP + 6 * ROW + CELL_H + 20,
             "Argmax by shuffles: 8 lanes with one pair each, value @ index",
             "Three steps with offsets 4, 2 and 1. Lane k gets the pair of lane k + offset. Of the two pairs, it keeps "
             "the pair that comes first: the one with the larger value or, of equal values, with the lower index. "
             "Three pairs have the value 7; the pair with index 2 wins.");
    for (int offset = LANES;; offset /= 2, y += 2 * ROW) {
        for (int k = 0; k < LANES; k++) {
            snprintf(text, sizeof text, "%d @%d", value[k], place[k]);
            box(f, center(k), y, false, k < offset ? "element" : "dead", k < offset ? "" : "faint", text);
        }
        if (offset == 1) break;
        for (int k = 0; k < offset / 2; k++) {
            const int other = k + offset / 2;
            arrow(f, center(k), y + CELL_H, center(k), y + 2 * ROW - 1);
            arrow(f, center(other), y + CELL_H, center(k) + 8, y + 2 * ROW - 1);
            if (value[other] > value[k] || (value[other] == value[k] && place[other] < place[k]))
                value[k] = value[other], place[k] = place[other];
        }
        snprintf(text, sizeof text, "offset %d", offset / 2);
        label(f, "end", LEFT - 8, y + ROW + 14, text);
        label(f, "note", center(LANES) - 8, y + ROW + 14, "the larger value; of equals, the lower index");
    }
    fprintf(f, "</svg>\n");
}
