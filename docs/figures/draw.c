/* Drawing primitives for the figures. See draw.h. */
#include "draw.h"

/* Light colors, then dark ones: each class is written twice from this table. Lanes have the colors of
 * report/html/page.css. */
static const struct {
    const char *class, *property, *light, *dark;
} style[] = {
    {".paper", "fill", "#ffffff", "#0d1117"},   {"text", "fill", "#1f2328", "#e6edf3"},
    {".note", "fill", "#59636e", "#9aa4b0"},    {".cell", "stroke", "#59636e", "#7d8590"},
    {".element", "fill", "#dbeafe", "#1f3a5f"}, {".dead", "fill", "#f3f4f6", "#161b22"},
    {".dead", "stroke", "#c8ccd1", "#363c44"},  {".faint", "fill", "#8b949e", "#6e7681"},
    {".working", "fill", "#0f766e", "#35c9b4"}, {".on", "fill", "#ffffff", "#0d1117"},
    {".idle", "fill", "#e1e5ea", "#29313c"},    {".split", "fill", "#c2410c", "#fb9150"},
    {".held", "fill", "#f6bd8b", "#7d4a26"},    {".arrow", "stroke", "#374151", "#aeb7c2"},
    {".head", "fill", "#374151", "#aeb7c2"},    {".barrier", "stroke", "#8b949e", "#6e7681"},
    {".memory", "fill", "#f6f1e4", "#241f14"},  {".onchip", "fill", "#eaf5ec", "#12231a"},
};

void open_svg(FILE *f, int width, int height, const char *title, const char *desc) {
    fprintf(f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" "
            "aria-labelledby=\"title desc\">\n<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n<style>\n",
            width, height, width, height, title, desc);
    fprintf(f, "text { font-family: system-ui, 'DejaVu Sans', sans-serif; font-size: 13px; }\n"
               ".heading { font-size: 16px; font-weight: 600; }\n.code { font-family: ui-monospace, 'DejaVu Sans "
               "Mono', monospace; "
               "font-size: 12px; }\n.arrow { fill: none; stroke-width: 1.2; }\n.barrier { stroke-dasharray: 4 3; }\n"
               ".mid { text-anchor: middle; }\n.end { text-anchor: end; }\n");
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        fprintf(f, "%s { %s: %s; }\n", style[i].class, style[i].property, style[i].light);
    fprintf(f, "@media (prefers-color-scheme: dark) {\n");
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        fprintf(f, "%s { %s: %s; }\n", style[i].class, style[i].property, style[i].dark);
    fprintf(f,
            "}\n</style>\n<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" "
            "markerHeight=\"7\" "
            "orient=\"auto\"><path class=\"head\" d=\"M0 0L8 4L0 8z\"/></marker></defs>\n"
            "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n<text class=\"heading\" x=\"16\" y=\"28\">%s</text>\n",
            width, height, title);
}

int center(int element) { return LEFT + element * PITCH + PITCH / 2; }

void box(FILE *f, int x, int y, bool round, const char *class, const char *text_class, const char *text) {
    fprintf(f, "<rect class=\"cell %s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\"/>\n", class,
            x - CELL_W / 2, y, CELL_W, CELL_H, round ? CELL_H / 2 : 2);
    fprintf(f, "<text class=\"mid %s\" x=\"%d\" y=\"%d\">%s</text>\n", text_class, x, y + 18, text);
}

void arrow(FILE *f, int x0, int y0, int x1, int y1) {
    fprintf(f, "<path class=\"arrow\" marker-end=\"url(#head)\" d=\"M%d %dL%d %d\"/>\n", x0, y0, x1, y1);
}

void label(FILE *f, const char *class, int x, int y, const char *text) {
    fprintf(f, "<text class=\"%s\" x=\"%d\" y=\"%d\">%s</text>\n", class, x, y, text);
}

void barrier_line(FILE *f, int y) {
    const int end = LEFT + ELEMENTS * PITCH;
    fprintf(f, "<path class=\"barrier\" d=\"M%d %dH%d\"/>\n", LEFT, y, end);
    label(f, "note code", end + 8, y + 4, "__syncthreads()");
}
