/* A histogram of the points of the mistakes in grader/tests/mistakes*.def. */
#include "draw.h"

static const int points[] = {
#define MISTAKE(lab, name, from, to, points, kind, text) points,
#include "tests/mistakes.def"
#include "tests/mistakes_cases.def"
#include "tests/mistakes_order.def"
#include "tests/mistakes_launches.def"
#include "tests/mistakes_memory.def"
#include "tests/mistakes_values.def"
#include "tests/mistakes_clusters.def"
#include "tests/mistakes_tensor.def"
#undef MISTAKE
};
enum {
    EACH = 5,
    BINS = 20 /* rows with 100 points are correct variants, or mistakes that cost no points */,
    BAR = 30,
    TALL = 260
};

void draw_points(FILE *f) {
    int count[BINS] = {0}, all = 0, most = 1, used = 0;
    char text[64], desc[600];
    for (size_t k = 0; k < sizeof points / sizeof *points; k++)
        if (points[k] < 100) count[points[k] / EACH]++, all++;
    used = snprintf(desc, sizeof desc, "A bar for each %d points, from 0 to 99. Mistakes:", EACH);
    for (int k = 0; k < BINS; k++) {
        if (count[k] > most) most = count[k];
        used += snprintf(desc + used, sizeof desc - (size_t)used, " %d", count[k]);
    }
    snprintf(text, sizeof text, "Points of %d single mistakes", all);
    open_svg(f, 2 * LEFT + BINS * BAR, TOP + TALL + 60, text, desc);
    for (int k = 0; k < BINS; k++) {
        const int x = LEFT + k * BAR, height = count[k] * (TALL - 20) / most, y = TOP + TALL - height;
        fprintf(f, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", "working", x + 2, y, BAR - 4,
                height);
        snprintf(text, sizeof text, "%d", count[k]);
        if (count[k]) label(f, "mid note", x + BAR / 2, y - 5, text);
        snprintf(text, sizeof text, "%d", k * EACH);
        label(f, "mid note", x, TOP + TALL + 16, text);
    }
    label(f, "mid note", LEFT + BINS * BAR, TOP + TALL + 16, "100");
    label(f, "mid", LEFT + BINS * BAR / 2, TOP + TALL + 42, "points");
    fprintf(f, "</svg>\n");
}
