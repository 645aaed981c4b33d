/* Draws a badge, "lab3 | 45 of 100" or the total of several labs, as a small SVG image for a README. */
#include "report/page.h"
#include "report/sink.h"
#include <string.h>

enum { HEIGHT = 20, CHARACTER = 7 /* pixels per character, approximately */, MARGIN = 6 };
static const struct color_of {
    int percent; /* minimum share of the points for this color */
    const char *color;
} colors[] = {{100, "#2b7a2b"}, {50, "#8a6d00"}, {0, "#b3261e"}};
static const char grey[] = "#5f6368";

static unsigned width_of(const char *text) {
    unsigned n = 0;
    for (; *text; text++) n += ((unsigned char)*text & 0xc0) != 0x80; /* counts characters, not bytes */
    return n * CHARACTER + 2 * MARGIN;
}
static void part(FILE *out, unsigned x, const char *color, const char *text) {
    fprintf(out, "  <rect x=\"%u\" width=\"%u\" height=\"%d\" fill=\"%s\"/>\n", x, width_of(text), HEIGHT, color);
    fprintf(out, "  <text x=\"%u\" y=\"14\" textLength=\"%u\">", x + MARGIN, width_of(text) - 2 * MARGIN);
    page_xml(out, text);
    fputs("</text>\n", out);
}
static bool write_badge(const json_t *record, FILE *out, const struct sink_options *options) {
    const size_t count = page_count(record);
    long long score = 0, most = 0;
    bool setup = false, builds = true;
    char label[40] = "reduction labs", value[60];
    const char *color = grey;
    (void)options;
    for (size_t k = 0; k < count; k++) {
        const json_t *r = page_record(record, k);
        score += page_integer(r, "score"), most += page_integer(r, "max_score");
        setup |= grade_end_of(r) == END_SETUP, builds &= grade_end_of(r) != END_BUILD;
    }
    const char *lab = count == 1 ? page_lab(page_record(record, 0)) : "";
    if (*lab && strspn(lab, "abcdefghijklmnopqrstuvwxyz0123456789") == strlen(lab))
        snprintf(label, sizeof label, "%.12s", lab);
    if (!count)
        snprintf(value, sizeof value, "not begun");
    else if (setup)
        snprintf(value, sizeof value, "not graded");
    else if (count == 1 && !builds)
        snprintf(value, sizeof value, "does not build"), color = colors[2].color;
    else {
        unsigned k = 0;
        while (colors[k].percent && score * 100 < most * colors[k].percent) k++;
        snprintf(value, sizeof value, "%lld of %lld", score, most), color = colors[k].color;
    }
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%d\" role=\"img\">\n  <title>",
            width_of(label) + width_of(value), HEIGHT);
    page_xml(out, label), fputs(": ", out), page_xml(out, value);
    fputs("</title>\n  <g fill=\"#ffffff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\">\n", out);
    part(out, 0, "#3c4043", label);
    part(out, width_of(label), color, value);
    fputs("  </g>\n</svg>\n", out);
    return true;
}
extern const struct sink sink_badge;
const struct sink sink_badge = {"badge", "Write a badge with the points, as an SVG image", write_badge};
