/* Figures of lab 9: an input divided into vectors, and loads one after the other or together. */
#include "draw.h"

/* ---- 11 elements that begin 12 bytes after a multiple of 16 ---- */
void draw_vectors(FILE *f) {
    enum { WIDTH = 4, START = 3, N = 11 };
    const int head = (WIDTH - START % WIDTH) % WIDTH, vectors = (N - head) / WIDTH, tail = head + vectors * WIDTH;
    const int y = TOP + ROW - 10, under = y + CELL_H + 34;
    char text[48];
    open_svg(f, LEFT + ELEMENTS * PITCH + RIGHT, TOP + 4 * ROW, "Head, vectors, tail: 11 elements of 4 bytes",
             "The input begins 12 bytes after a multiple of 16. One element precedes the next multiple of 16 bytes: "
             "the head. Two whole 16-byte vectors follow, with one load each. The last two elements are the tail.");
    for (int k = 0; k <= ELEMENTS; k += WIDTH) {
        const int x = center(k) - PITCH / 2;
        fprintf(f, "<path class=\"barrier\" d=\"M%d %dV%d\"/>\n", x, y - 20, under - 8);
        snprintf(text, sizeof text, "%d", k * 4);
        label(f, "mid note", x, y - 26, text);
    }
    label(f, "end note", LEFT - 16, y - 26, "address");
    label(f, "end code", LEFT - 8, y + 18, "in");
    for (int k = 0; k < ELEMENTS; k++) {
        const int i = k - START;
        const bool own = i >= 0 && i < N, whole = i >= head && i < tail;
        snprintf(text, sizeof text, "%d", i);
        box(f, center(k), y, false, own ? whole ? "element" : "held" : "dead", own ? "" : "faint", own ? text : "");
    }
    for (int v = 0; v < vectors; v++) {
        const int first = START + head + v * WIDTH, x = (center(first) + center(first + WIDTH - 1)) / 2;
        arrow(f, x, y + CELL_H + 4, x, under + 19);
        snprintf(text, sizeof text, "t%d", v);
        box(f, x, under + 20, true, "working", "on", text);
        snprintf(text, sizeof text, "vector %d: 16 bytes", v);
        label(f, "mid note", x, under + 64, text);
    }
    for (int e = 0; e < N - vectors * WIDTH; e++) {
        const int i = e < head ? e : tail + e - head, x = center(START + i);
        arrow(f, x, y + CELL_H + 4, x, under + 19);
        snprintf(text, sizeof text, "t%d", e < head ? e : e - head);
        box(f, x, under + 20, true, "split", "on", text);
    }
    label(f, "mid note", center(START), under + 64, "head");
    label(f, "mid note", (center(START + tail) + center(START + N - 1)) / 2, under + 64, "tail");
    label(f, "end", LEFT - 8, under + 38, "loads");
    fprintf(f, "</svg>\n");
}

/* ---- a thread's loads over time: `together` of them are in flight concurrently ---- */
enum { LOADS = 8, WAIT = 690, USE = 20, ISSUE = 12, WIDE = 640 /* pixels */, CYCLES = 5800 };
static int at(int cycle) { return LEFT + 30 + cycle * WIDE / CYCLES; }
static int draw_rounds(FILE *f, int y, int together) {
    char text[64];
    int now = 0;
    snprintf(text, sizeof text, together == 1 ? "one at a time" : "%d at a time", together);
    label(f, "end", LEFT + 14, y + 12, text);
    for (int k = 0; k < LOADS; k += together) {
        for (int e = 0; e < together; e++)
            fprintf(f, "<rect class=\"element cell\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"7\"/>\n",
                    at(now + e * ISSUE), y + e * 9, at(now + e * ISSUE + WAIT) - at(now + e * ISSUE));
        now += WAIT + (together - 1) * ISSUE;
        fprintf(f, "<rect class=\"split\" x=\"%d\" y=\"%d\" width=\"4\" height=\"%d\"/>\n", at(now), y,
                together * 9 - 2);
        now += USE * together;
    }
    snprintf(text, sizeof text, "%d cycles", now);
    label(f, "note", at(now) + 12, y + 12, text);
    return y + together * 9 + 26;
}
void draw_in_flight(FILE *f) {
    int y = TOP + 6;
    open_svg(f, LEFT + WIDE + 150, TOP + 270, "Eight loads of a thread, one, two, four and eight at a time",
             "Each bar is a load that waits 690 cycles for memory. With one load at a time, the waits add up. The more "
             "loads are in flight, the more of the waits overlap.");
    for (int together = 1; together <= LOADS; together *= 2) y = draw_rounds(f, y, together);
    label(f, "note", LEFT + 30, y + 6,
          "bar: the load waits 690 cycles for memory; mark: the thread combines the values");
    fprintf(f, "</svg>\n");
}
