/* Figures of lab 0: the threads of a launch, and trees over a number of elements that is not a power of two. */
#include "draw.h"
#include <string.h>

/* ---- a launch: 3 blocks of 4 threads for 10 elements ---- */
void draw_launch(FILE *f) {
    enum { BLOCKS = 3, M = 4, N = 10 };
    const int y = TOP + ROW;
    char text[48];
    open_svg(f, LEFT + BLOCKS * (M + 1) * PITCH + RIGHT + 30, TOP + 5 * ROW - 20,
             "A launch: 3 blocks of 4 threads, 10 elements",
             "Every thread has a number t in its block, from 0 to 3. From t and the number b of its block, it computes "
             "its number in the launch, i = 4b + t. Thread i works on element i. Threads 10 and 11 have no element and "
             "do nothing.");
    label(f, "end", LEFT - 8, y - 30, "blockIdx.x");
    label(f, "end", LEFT - 8, y + 18, "threadIdx.x");
    label(f, "end code", LEFT - 8, y + ROW + 18, "i = b*M + t");
    label(f, "end code", LEFT - 8, y + 2 * ROW + 28, "in[i]");
    for (int b = 0; b < BLOCKS; b++) {
        const int first = b * (M + 1);
        fprintf(f, "<rect class=\"onchip\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n",
                center(first) - 23, y - 50, M * PITCH, 2 * ROW + 40);
        snprintf(text, sizeof text, "block %d", b);
        label(f, "mid", (center(first) + center(first + M - 1)) / 2, y - 30, text);
        for (int t = 0; t < M; t++) {
            const int i = b * M + t, x = center(first + t);
            snprintf(text, sizeof text, "t%d", t);
            box(f, x, y, true, i < N ? "working" : "idle", i < N ? "on" : "faint", text);
            snprintf(text, sizeof text, "%d", i);
            label(f, i < N ? "mid code" : "mid code faint", x, y + ROW + 18, text);
            if (i >= N) continue;
            arrow(f, x, y + ROW + 24, x, y + 2 * ROW + 9);
            box(f, x, y + 2 * ROW + 10, false, "element", "", text);
        }
    }
    label(f, "note", center(BLOCKS * (M + 1) - 1) + 4, y + ROW + 18, "work only where i &lt; n");
    fprintf(f, "</svg>\n");
}

/* ---- trees over 11 elements ---- */
enum { N = 11 };
static const int data[N] = {3, 1, 7, 0, 4, 1, 6, 3, 2, 5, 8};

static void values(FILE *f, int y, const int *value, const bool *live, const char *name) {
    char text[16];
    label(f, "end code", LEFT - 8, y + 18, name);
    for (int k = 0; k < N; k++) {
        snprintf(text, sizeof text, "%d", value[k]);
        box(f, center(k), y, false, live[k] ? "element" : "dead", live[k] ? "" : "faint", text);
    }
}
/* Draws one level of a tree, from the row at y to the next row: `first` elements are `apart` from each other, and each
 * is combined with the element `stride` places after it, if that is below `end`. Returns the number of pairs. */
static int level(FILE *f, int y, int *value, bool *live, int apart, int stride, int end) {
    const int next = y + 2 * ROW - 20;
    int pairs = 0;
    bool after[N] = {false};
    for (int k = 0; k < end && (apart > 1 || k < stride); k += apart) {
        after[k] = true;
        arrow(f, center(k), y + CELL_H, center(k), next - 1);
        if (k + stride >= end) continue;
        arrow(f, center(k + stride), y + CELL_H, center(k) + 8, next - 1);
        value[k] += value[k + stride];
        pairs++;
    }
    memcpy(live, after, sizeof after);
    return pairs;
}
static void notes(FILE *f, int y, const char *name, int number, int stride, const char *count) {
    char text[64];
    snprintf(text, sizeof text, "%s %d, stride %d", name, number, stride);
    label(f, "end", LEFT - 8, y + ROW + 10, text);
    label(f, "note", center(N) - 4, y + ROW + 10, count);
}
static void draw(FILE *f, bool doubling, const char *title, const char *desc) {
    const int pitch = 2 * ROW - 20;
    int value[N], y = TOP, number = 1;
    bool live[N];
    char text[64];
    memcpy(value, data, sizeof value);
    memset(live, true, sizeof live);
    open_svg(f, LEFT + N * PITCH + RIGHT + 70, TOP + 4 * pitch + CELL_H + 26, title, desc);
    values(f, y, value, live, "data");
    for (int stride = doubling ? 1 : (N + 1) / 2, count = N; doubling ? stride < N : count > 1; number++) {
        const int pairs = level(f, y, value, live, doubling ? 2 * stride : 1, stride, doubling ? N : count);
        if (doubling)
            snprintf(text, sizeof text, "%d pair%s, %d thread%s", pairs, pairs == 1 ? "" : "s", pairs,
                     pairs == 1 ? "" : "s");
        else
            snprintf(text, sizeof text, "%d elements left, %d pair%s", count, pairs, pairs == 1 ? "" : "s");
        notes(f, y, doubling ? "launch" : "pass", number, stride, text);
        y += pitch;
        values(f, y, value, live, "data");
        if (doubling)
            stride *= 2;
        else
            count = stride, stride = (count + 1) / 2;
    }
    fprintf(f, "</svg>\n");
}
void draw_levels(FILE *f) {
    draw(f, true, "A launch for each level: 11 elements, strides 1, 2, 4, 8",
         "There are four launches. In each launch, if k is a multiple of twice the stride, element k + stride is added "
         "to element k, if it exists. After the last launch, element 0 holds the sum of all.");
}
void draw_halving(FILE *f) {
    draw(f, false, "The loop inside the kernel: 11 elements, then 6, 3, 2, 1",
         "There are four passes. The stride is half of the number of remaining elements, rounded up. In each pass, "
         "element k + stride is added to element k, if it exists. If the number is odd, the middle element has no "
         "partner. After the last pass, element 0 holds the sum of all.");
}
