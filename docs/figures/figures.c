/* Draws the figures of the handouts as SVG: trees over a few elements, and maps of the lanes of a block.
 *
 * Usage: figures FOLDER. Writes one file for each row of the tables below; 0 when all were written.
 * The figures are computed by the same index rules as in the kernels, so they cannot disagree with them. */
#include "draw.h"
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>

enum { THREADS = 8, WARP = 32, WARPS = 8, BLOCK = WARPS * WARP };

/* The shape of a tree of M threads over 2*M elements: increasing or decreasing strides, and which threads work. */
struct rule {
    bool compacted;
};
struct tree_figure {
    const char *file, *title, *desc;
    struct rule rule;
    bool staged; /* with a load from global to shared memory before the tree, and a write of the result after it */
};
struct map_figure {
    const char *file, *title, *desc;
    struct rule rule;
};

static const struct tree_figure trees[] = {
    {"interleaved.svg",
     "The interleaved tree: 8 threads, 16 elements",
     "Four steps with strides 1, 2, 4 and 8. Thread t owns element 2t and works when t is a multiple of the stride, so "
     "the distance between working threads grows.",
     {false},
     false},
    {"compacted.svg",
     "The compacted tree: 8 threads, 16 elements",
     "Four steps with strides 8, 4, 2 and 1. Thread t owns element t and works when t is below the stride, so the "
     "working threads stay contiguous.",
     {true},
     false},
    {"shared.svg",
     "Staging in shared memory: 8 threads, 16 elements, one partial",
     "Each thread copies two elements from global memory to shared memory. The compacted tree runs in shared memory. "
     "Thread 0 "
     "writes one partial result back to global memory.",
     {true},
     true},
};
static const struct map_figure maps[] = {
    {"lanes-interleaved.svg",
     "Lanes of the interleaved tree: 256 threads, 512 elements",
     "One panel per step, one row per warp, one cell per lane. All warps diverge in steps 2 to 6. After that, fewer "
     "and fewer warps have an active lane, one each.",
     {false}},
    {"lanes-compacted.svg",
     "Lanes of the compacted tree: 256 threads, 512 elements",
     "One panel per step, one row per warp, one cell per lane. Whole warps become idle until one full warp is left in "
     "step 4. Only the last five steps diverge, in one warp.",
     {true}},
};

/* ---- the rules, for a block of m threads ---- */
static int stride_of(struct rule r, int m, int step) { return r.compacted ? m >> step : 1 << step; }
static bool works(struct rule r, int t, int stride) { return r.compacted ? t < stride : t % stride == 0; }
static int element_of(struct rule r, int t) { return r.compacted ? t : 2 * t; }

/* One row of elements. The live elements still have to be combined; the others are no longer used. */
static void element_row(FILE *f, int y, const int *value, const bool *live, const char *name) {
    label(f, "end code", LEFT - 8, y + 18, name);
    for (int i = 0; i < ELEMENTS; i++) {
        char text[16];
        snprintf(text, sizeof text, "%d", value[i]);
        box(f, center(i), y, false, live[i] ? "element" : "dead", live[i] ? "" : "faint", text);
    }
}

/* One step from the row of elements at y: the threads at y + ROW, the new elements at y + 2*ROW. */
static void tree_step(FILE *f, struct rule r, int y, int step, int *value, bool *live, const char *array) {
    const int stride = stride_of(r, THREADS, step), threads_y = y + ROW, result_y = y + 2 * ROW;
    int busy = 0;
    char text[48];
    for (int i = 0; i < ELEMENTS; i++) live[i] = false;
    for (int t = 0; t < THREADS; t++) {
        const int own = element_of(r, t), x = r.compacted ? center(own) : (center(own) + center(own + 1)) / 2;
        const bool busy_now = works(r, t, stride);
        snprintf(text, sizeof text, "t%d", t);
        if (busy_now) {
            arrow(f, center(own), y + CELL_H, r.compacted ? x : x - 6, threads_y - 1);
            arrow(f, center(own + stride), y + CELL_H, x + 6, threads_y - 1);
            arrow(f, r.compacted ? x : x - 6, threads_y + CELL_H, center(own), result_y - 1);
            value[own] += value[own + stride];
            live[own] = true;
            busy++;
        }
        box(f, x, threads_y, true, busy_now ? "working" : "idle", busy_now ? "on" : "faint", text);
    }
    snprintf(text, sizeof text, "step %d, stride %d", step + 1, stride);
    label(f, "end", LEFT - 8, threads_y + 18, text);
    snprintf(text, sizeof text, "%d of %d threads work", busy, THREADS);
    label(f, "note", LEFT + ELEMENTS * PITCH + 8, threads_y + 18, text);
    element_row(f, result_y, value, live, array);
    barrier_line(f, result_y + CELL_H + 7);
}

/* Each thread copies two elements: its own and the element M places after its own. */
static void stage(FILE *f, int from, int to) {
    const int threads_y = (from + to) / 2 - 4;
    for (int i = 0; i < ELEMENTS; i++) {
        char text[16];
        snprintf(text, sizeof text, "t%d", i % THREADS);
        arrow(f, center(i), from + CELL_H, center(i), threads_y - 1);
        box(f, center(i), threads_y, true, "working", "on", text);
        arrow(f, center(i), threads_y + CELL_H, center(i), to - 1);
    }
    label(f, "end", LEFT - 8, threads_y + 18, "load");
    label(f, "note", LEFT + ELEMENTS * PITCH + 8, threads_y + 18, "each thread, twice");
    barrier_line(f, to + CELL_H + 7);
}

/* Thread 0 writes the last value in the row at y to the block's place in partial. */
static void write_back(FILE *f, int y, int value) {
    char text[16];
    snprintf(text, sizeof text, "%d", value);
    arrow(f, center(0), y + CELL_H, center(0), y + ROW + 3);
    box(f, center(0), y + ROW + 4, true, "working", "on", "t0");
    arrow(f, center(0), y + ROW + 4 + CELL_H, center(0), y + 2 * ROW + 7);
    box(f, center(0), y + 2 * ROW + 8, false, "element", "", text);
    label(f, "end", LEFT - 8, y + ROW + 22, "write");
    label(f, "end code", LEFT - 8, y + 2 * ROW + 26, "partial[b]");
    label(f, "note", LEFT + ELEMENTS * PITCH + 8, y + ROW + 22, "thread 0, once");
}

static void band(FILE *f, const char *class, int y, int height, const char *name, int width) {
    fprintf(f, "<rect class=\"%s\" x=\"8\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n", class, y, width - 16,
            height);
    label(f, "note", LEFT + ELEMENTS * PITCH + 8, y + 40, name);
}

static void draw_tree(FILE *f, const struct tree_figure *g) {
    static const int data[ELEMENTS] = {3, 1, 7, 0, 4, 1, 6, 3, 2, 5, 8, 1, 0, 9, 2, 4};
    int steps = 0, value[ELEMENTS];
    bool live[ELEMENTS];
    while (stride_of(g->rule, THREADS, steps) >= 1 && stride_of(g->rule, THREADS, steps) <= THREADS) steps++;
    const int width = LEFT + ELEMENTS * PITCH + RIGHT, first = g->staged ? TOP + 2 * ROW + 20 : TOP;
    const int last = first + steps * 2 * ROW, height = last + CELL_H + (g->staged ? 2 * ROW + 26 : 26);
    memcpy(value, data, sizeof value);
    for (int i = 0; i < ELEMENTS; i++) live[i] = true;

    open_svg(f, width, height, g->title, g->desc);
    if (g->staged) {
        band(f, "memory", TOP - 22, CELL_H + 34, "global memory", width);
        band(f, "onchip", first - 22, last + CELL_H + 16 - (first - 22), "shared memory", width);
        band(f, "memory", last + 2 * ROW - 14, CELL_H + 34, "global memory", width);
        stage(f, TOP, first);
    }
    element_row(f, first, value, live, g->staged ? "s" : "data");
    if (g->staged) element_row(f, TOP, value, live, "in");
    for (int step = 0; step < steps; step++)
        tree_step(f, g->rule, first + step * 2 * ROW, step, value, live, g->staged ? "s" : "data");
    if (g->staged) write_back(f, last, value[0]);
    fprintf(f, "</svg>\n");
}

/* ---- maps of lanes ---- */
enum { MAP_LEFT = 72, LANE_W = 3, LANE_H = 12, PANEL = WARP * LANE_W + 12, MAP_TOP = 92 };

/* One warp in one step: a run of equal lanes is one rectangle, in which thin lines separate the lanes. */
static int draw_warp(FILE *f, struct rule r, int warp, int stride, int x, int y) {
    int busy = 0;
    for (int lane = 0; lane < WARP; lane++) busy += works(r, warp * WARP + lane, stride);
    for (int lane = 0; lane < WARP;) {
        const bool on = works(r, warp * WARP + lane, stride);
        int end = lane + 1;
        while (end < WARP && works(r, warp * WARP + end, stride) == on) end++;
        const char *class = on ? busy == WARP ? "working" : "split" : busy ? "held" : "idle";
        fprintf(f, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", class, x + lane * LANE_W, y,
                (end - lane) * LANE_W, LANE_H - 2);
        lane = end;
    }
    return busy;
}

static void draw_legend(FILE *f, int y) {
    static const struct {
        const char *class, *text;
    } keys[] = {
        {"working", "active, in a whole warp"},
        {"split", "active, in a divergent warp"},
        {"held", "inactive"},
        {"idle", "idle"},
    };
    for (int i = 0; i < 4; i++) {
        fprintf(f, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"14\" height=\"12\"/>\n", keys[i].class,
                MAP_LEFT + i * 220, y - 11);
        label(f, "", MAP_LEFT + i * 220 + 20, y, keys[i].text);
    }
}

static void draw_map(FILE *f, const struct map_figure *g) {
    int steps = 0;
    char text[48];
    while (stride_of(g->rule, BLOCK, steps) >= 1 && stride_of(g->rule, BLOCK, steps) <= BLOCK) steps++;
    const int under = MAP_TOP + WARPS * LANE_H;
    open_svg(f, MAP_LEFT + steps * PANEL + 8, under + 84, g->title, g->desc);
    for (int warp = 0; warp < WARPS; warp++) {
        snprintf(text, sizeof text, "warp %d", warp);
        label(f, "end note", MAP_LEFT - 10, MAP_TOP + warp * LANE_H + 10, text);
    }
    label(f, "end note", MAP_LEFT - 10, under + 18, "active");
    label(f, "end note", MAP_LEFT - 10, under + 36, "divergent");
    for (int step = 0; step < steps; step++) {
        const int stride = stride_of(g->rule, BLOCK, step), x = MAP_LEFT + step * PANEL, middle = x + WARP * LANE_W / 2;
        int busy = 0, diverged = 0;
        for (int warp = 0; warp < WARPS; warp++) {
            const int lanes = draw_warp(f, g->rule, warp, stride, x, MAP_TOP + warp * LANE_H);
            busy += lanes;
            diverged += lanes > 0 && lanes < WARP;
        }
        snprintf(text, sizeof text, "step %d", step + 1);
        label(f, "mid", middle, MAP_TOP - 26, text);
        snprintf(text, sizeof text, "stride %d", stride);
        label(f, "mid note", middle, MAP_TOP - 9, text);
        snprintf(text, sizeof text, "%d lane%s", busy, busy == 1 ? "" : "s");
        label(f, "mid", middle, under + 18, text);
        snprintf(text, sizeof text, diverged ? "%d warp%s" : "none", diverged, diverged == 1 ? "" : "s");
        label(f, "mid", middle, under + 36, text);
    }
    draw_legend(f, under + 68);
    fprintf(f, "</svg>\n");
}

/* ---- many blocks, warps ------------------------------------------------------------------------ */
/* The center of box k when each box is as wide as `span` elements. */
static int middle(int k, int span) { return (center(k * span) + center(k * span + span - 1)) / 2; }
static void row_of(FILE *f, int y, int count, int span, bool round, const char *class, const char *text_class,
                   const char *format, const char *name, const char *note) {
    for (int k = 0; k < count; k++) {
        char text[32];
        snprintf(text, sizeof text, format, k);
        box(f, middle(k, span), y, round, class, text_class, text);
    }
    label(f, "end", LEFT - 8, y + 18, name);
    label(f, "note", LEFT + ELEMENTS * PITCH + 8, y + 18, note);
}
/* Arrows from `count` boxes below y to `into` boxes above y1; neighboring boxes lead to the same box. */
static void gather(FILE *f, int y, int count, int span, int y1, int into, int into_span) {
    for (int k = 0; k < count; k++) arrow(f, middle(k, span), y + CELL_H, middle(k * into / count, into_span), y1 - 1);
}
static void draw_grid_stride(FILE *f) { /* two blocks of four threads: thread i takes element i and i + 8 */
    const int width = LEFT + ELEMENTS * PITCH + RIGHT;
    open_svg(
        f, width, TOP + 7 * ROW, "Grid-stride: 2 blocks of 4 threads, 16 elements",
        "Thread i of the grid combines elements i and i + 8. Each block reduces its threads' values to a partial; a "
        "second launch of one block reduces the partials.");
    row_of(f, TOP, ELEMENTS, 1, false, "element", "", "%d", "in", "global memory");
    for (int k = 0; k < ELEMENTS; k++) arrow(f, center(k), TOP + CELL_H, middle(k % 8, 2), TOP + 2 * ROW - 1);
    row_of(f, TOP + 2 * ROW, 8, 2, true, "working", "on", "t%d", "grid", "i, i + 8, i + 16, ...");
    gather(f, TOP + 2 * ROW, 8, 2, TOP + 4 * ROW, 2, 8);
    row_of(f, TOP + 4 * ROW, 2, 8, false, "element", "", "p%d", "partial", "a tree in each block");
    gather(f, TOP + 4 * ROW, 2, 8, TOP + 6 * ROW, 1, 16);
    row_of(f, TOP + 6 * ROW, 1, 16, false, "element", "", "sum", "total", "launch 2: one block");
    fprintf(f, "</svg>\n");
}
static void draw_two_levels(FILE *f) { /* warps are drawn with four lanes */
    open_svg(f, LEFT + ELEMENTS * PITCH + RIGHT, TOP + 5 * ROW, "Two levels: each warp, then the first warp",
             "Each warp reduces the values of its lanes without waiting for other warps. Then the block waits once, "
             "and the first warp reduces the results of all warps.");
    for (int w = 0; w < 4; w++)
        fprintf(f, "<rect class=\"onchip\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n",
                center(4 * w) - 21, TOP - 8, 4 * PITCH - 4, 2 * ROW + CELL_H + 16);
    row_of(f, TOP, ELEMENTS, 1, true, "working", "on", "t%d", "lanes", "one value each");
    gather(f, TOP, ELEMENTS, 1, TOP + 2 * ROW, 4, 4);
    row_of(f, TOP + 2 * ROW, 4, 4, false, "element", "", "w%d", "warps' results", "");
    barrier_line(f, TOP + 3 * ROW);
    gather(f, TOP + 2 * ROW, 4, 4, TOP + 4 * ROW, 1, 16);
    row_of(f, TOP + 4 * ROW, 1, 16, false, "element", "", "sum", "first warp", "once per block");
    fprintf(f, "</svg>\n");
}
static void draw_shuffles(FILE *f) { /* 16 lanes; a real warp has one more step */
    open_svg(f, LEFT + ELEMENTS * PITCH + RIGHT, TOP + 9 * ROW, "Shuffles: 16 lanes, offsets 8, 4, 2, 1",
             "In each step, lane k reads the register of lane k + offset and combines the value with its own. At the "
             "end, lane 0 holds the result of all lanes. The values of lanes without a partner are not used.");
    int live = ELEMENTS;
    for (int step = 0; step <= 4; step++) {
        const int y = TOP + step * 2 * ROW, offset = live / 2;
        char text[32] = "";
        for (int k = 0; k < ELEMENTS; k++) {
            snprintf(text, sizeof text, "%d", k);
            box(f, center(k), y, true, k < live ? "working" : "idle", k < live ? "on" : "faint", text);
        }
        label(f, "end", LEFT - 8, y + 18, step ? "registers" : "lanes");
        if (step == 4) break;
        for (int k = 0; k < offset; k++) {
            arrow(f, center(k), y + CELL_H, center(k), y + 2 * ROW - 1);
            arrow(f, center(k + offset), y + CELL_H, center(k) + 6, y + 2 * ROW - 1);
        }
        snprintf(text, sizeof text, "shfl_down %d", offset);
        label(f, "note code", LEFT + ELEMENTS * PITCH + 8, y + ROW + 18, text);
        live = offset;
    }
    fprintf(f, "</svg>\n");
}
static void draw_last_block(FILE *f) { /* four blocks take tickets in the order 2, 0, 3, 1 */
    static const int ticket[4] = {1, 3, 0, 2};
    static const char *const steps[4] = {"partial[b] = result", "__threadfence()", "draw a ticket", ""};
    open_svg(f, LEFT + ELEMENTS * PITCH + RIGHT, TOP + 10 * ROW, "The last block: 4 blocks, one launch",
             "Each block writes its partial, executes a fence and draws a ticket. The block with the last ticket knows "
             "that all partials are written. It reduces the partials, writes the total and resets the ticket to 0.");
    for (int b = 0; b < 4; b++) {
        const int x = middle(b, 4), y = TOP + ticket[b] * 2 * ROW / 2;
        char text[32];
        snprintf(text, sizeof text, "b%d", b);
        box(f, x, y, true, "working", "on", text);
        for (int s = 0; s < 3; s++) {
            arrow(f, x, y + CELL_H + s * ROW, x, y + (s + 1) * ROW - 1);
            if (s < 2) label(f, "mid code", x, y + (s + 1) * ROW + 14, steps[s]);
        }
        snprintf(text, sizeof text, "%d", ticket[b]);
        box(f, x, y + 3 * ROW, false, ticket[b] == 3 ? "split" : "element", ticket[b] == 3 ? "on" : "", text);
        label(f, "note", x + 24, y + 3 * ROW + 18, ticket[b] == 3 ? "the last ticket" : "done");
    }
    const int x = middle(1, 4), y = TOP + 6 * ROW;
    static const char *const after[3] = {"__threadfence()", "reduce partial[0..3]", "total[0] = result; ticket = 0"};
    for (int s = 0; s < 3; s++) {
        arrow(f, x, y + CELL_H + s * ROW, x, y + (s + 1) * ROW - 1);
        label(f, "mid code", x, y + (s + 1) * ROW + 14, after[s]);
    }
    fprintf(f, "</svg>\n");
}
/* ---- files ---- */
static const struct {
    const char *file;
    void (*draw)(FILE *f);
} pictures[] = {
    {"launch.svg", draw_launch},           {"levels.svg", draw_levels},         {"halving.svg", draw_halving},
    {"grid-stride.svg", draw_grid_stride}, {"two-levels.svg", draw_two_levels}, {"shuffle.svg", draw_shuffles},
    {"last-block.svg", draw_last_block},   {"vectors.svg", draw_vectors},       {"in-flight.svg", draw_in_flight},
    {"ordered.svg", draw_ordered},         {"pairs.svg", draw_pairs},           {"points.svg", draw_points},
    {"cluster.svg", draw_cluster},         {"tensor.svg", draw_tensor},
};

static FILE *open_figure(const char *folder, const char *file, char path[PATH_MAX]) {
    const int n = snprintf(path, PATH_MAX, "%s/%s", folder, file);
    FILE *f = n < PATH_MAX ? fopen(path, "w") : NULL;
    if (!f)
        fprintf(stderr, "figures: cannot write %s: %s; name a folder that exists\n", path,
                n < PATH_MAX ? strerror(errno) : "too long");
    return f;
}

static int close_figure(FILE *f, const char *path) {
    const bool bad = ferror(f);
    if (fclose(f) == 0 && !bad) return puts(path) < 0;
    fprintf(stderr, "figures: %s was not written in full: is the disk full?\n", path);
    return 1;
}

int main(int argc, char **argv) {
    char path[PATH_MAX];
    int failed = 0;
    if (argc != 2) {
        fputs("Usage: figures FOLDER\n", stderr);
        return 2;
    }
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        FILE *f = open_figure(argv[1], trees[i].file, path);
        if (!f) return 1;
        draw_tree(f, &trees[i]);
        failed |= close_figure(f, path);
    }
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++) {
        FILE *f = open_figure(argv[1], maps[i].file, path);
        if (!f) return 1;
        draw_map(f, &maps[i]);
        failed |= close_figure(f, path);
    }
    for (size_t i = 0; i < sizeof pictures / sizeof *pictures; i++) {
        FILE *f = open_figure(argv[1], pictures[i].file, path);
        if (!f) return 1;
        pictures[i].draw(f);
        failed |= close_figure(f, path);
    }
    return failed;
}
