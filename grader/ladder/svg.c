/* Draws the record: a dot per row on a logarithmic scale of elements per second, with the memory roofline. (Bars
 * would need a zero, which a logarithmic scale lacks.) For a sweep, draws the time over the number of blocks. */
#include "ladder/ladder.h"
#include <math.h>

enum { LEFT = 300, ROOM = 460, HEIGHT = 22, TOP = 46 };

static double number_of(const json_t *row, const char *key) {
    const json_t *n = json_object_get(row, key);
    return n ? json_number_value(n) : -1;
}
static void text(FILE *out, double x, double y, const char *class, const char *content) {
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" class=\"%s\">", x, y, class);
    for (; *content; content++) {
        if (*content == '<' || *content == '&')
            fprintf(out, "&#%d;", *content);
        else
            fputc(*content, out);
    }
    fputs("</text>\n", out);
}
static void begin_svg(FILE *out, double height, const char *title) {
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 860 %.0f\" width=\"860\" height=\"%.0f\" "
            "role=\"img\" aria-label=\"%s\">\n<style>\n"
            "text{font:13px system-ui,sans-serif;fill:#333}.small{font-size:11px;fill:#666}.title{font-size:15px}\n"
            ".cpu{fill:#8a8f98}.line{stroke:#ddd}.roof{stroke:#c0392b;stroke-dasharray:5 3}\n"
            "path{fill:none;stroke:#3b7dd8;stroke-width:2}circle{fill:#3b7dd8}\n"
            "@media(prefers-color-scheme:dark){text{fill:#ddd}.small{fill:#aaa}.line{stroke:#444}}\n</style>\n",
            height, height, title);
    text(out, 10, 22, "title", title);
}
static void scale(FILE *out, double low, double high, double height) {
    for (double decade = ceil(low); decade <= floor(high); decade++) {
        char label[24];
        const double x = LEFT + ROOM * (decade - low) / (high - low);
        fprintf(out, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.0f\" class=\"line\"/>\n", x, x, TOP - 8,
                height - 24);
        snprintf(label, sizeof label, "%g", pow(10, decade - 9));
        text(out, x - 4, height - 8, "small", label);
    }
}
static void dots(const json_t *record, FILE *out) {
    const json_t *rows = json_object_get(record, "rows");
    const double height = TOP + HEIGHT * (double)json_array_size(rows) + 34;
    const double roof = number_of(record, "bytes_per_second") / number_of(record, "bytes_an_element");
    const double low = 5.5, high = log10(fmax(roof, 1e9)) + 0.3;
    size_t k, line = 0;
    json_t *row;
    begin_svg(out, height, "G elements per second");
    scale(out, low, high, height);
    json_array_foreach(rows, k, row) {
        const double rate = number_of(row, "elements_per_second"), y = TOP + HEIGHT * (double)line;
        char label[80];
        if (rate <= 0) continue;
        snprintf(label, sizeof label, "%s  %s", json_string_value(json_object_get(row, "id")),
                 json_string_value(json_object_get(row, "name")));
        text(out, 10, y + 14, "", label);
        const double x = LEFT + ROOM * fmax(0, (log10(rate) - low) / (high - low));
        fprintf(out, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" class=\"line\"/>\n", LEFT, LEFT + ROOM, y + 9.5,
                y + 9.5);
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"5\" class=\"%s\"/>\n", x, y + 9.5,
                json_is_true(json_object_get(row, "cpu")) ? "cpu" : "gpu");
        snprintf(label, sizeof label, "%.3g", rate / 1e9);
        text(out, x + 9, y + 14, "small", label);
        line++;
    }
    const double x = LEFT + ROOM * (log10(roof) - low) / (high - low);
    fprintf(out, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.0f\" class=\"roof\"/>\n", x, x, TOP - 8, height - 24);
    text(out, x - 70, TOP - 14, "small", "memory bandwidth");
    fputs("</svg>\n", out);
}
static double time_of(const json_t *row) {
    return number_of(row, "measured_us") > 0 ? number_of(row, "measured_us") : number_of(row, "modeled_us");
}
/* Draws an axis from 0 to `most` with at most five ticks above 0, at multiples of 1, 2 or 5 times a power of ten. */
static void time_axis(FILE *out, double most) {
    static const double steps[] = {1, 2, 5, 10};
    const double decade = pow(10, floor(log10(most / 5)));
    unsigned k = 0;
    while (k < 3 && 5 * steps[k] * decade < most) k++;
    for (double at = 0; at <= most; at += steps[k] * decade) {
        char label[24];
        const double y = 300 - 240 * at / most;
        fprintf(out, "<line x1=\"60\" x2=\"800\" y1=\"%.1f\" y2=\"%.1f\" class=\"line\"/>\n", y, y);
        snprintf(label, sizeof label, "%g us", at);
        text(out, 10, y + 4, "small", label);
    }
}
static void curve(const json_t *record, FILE *out) {
    const json_t *rows = json_object_get(record, "rows");
    double most = 1;
    size_t k;
    json_t *row;
    begin_svg(out, 340, "Time by number of blocks");
    json_array_foreach(rows, k, row) most = fmax(most, time_of(row));
    time_axis(out, most);
    const double step = 700.0 / (double)(json_array_size(rows) > 1 ? json_array_size(rows) - 1 : 1);
    fputs("<path d=\"", out);
    json_array_foreach(rows, k, row)
        fprintf(out, "%c%.1f %.1f", k ? 'L' : 'M', 80 + step * (double)k, 300 - 240 * time_of(row) / most);
    fputs("\"/>\n", out);
    json_array_foreach(rows, k, row) {
        char label[40];
        const double x = 80 + step * (double)k, y = 300 - 240 * time_of(row) / most;
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/>\n", x, y);
        snprintf(label, sizeof label, "%.1f us", time_of(row));
        text(out, x - 18, y - 10, "small", label);
        snprintf(label, sizeof label, "%.0f", number_of(row, "blocks"));
        text(out, x - 10, 322, "small", label);
    }
    text(out, 10, 322, "small", "blocks");
    fputs("</svg>\n", out);
}
bool ladder_svg(const json_t *record, FILE *out) {
    (json_is_true(json_object_get(record, "sweep")) ? curve : dots)(record, out);
    return !ferror(out);
}
