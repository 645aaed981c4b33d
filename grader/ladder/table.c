/* Prints the record as a table and as CSV. */
#include "ladder/ladder.h"
#include <string.h>

static const char *text_of(const json_t *row, const char *key) {
    const char *s = json_string_value(json_object_get(row, key));
    return s ? s : "";
}
static double number_of(const json_t *row, const char *key) {
    const json_t *n = json_object_get(row, key);
    return n ? json_number_value(n) : -1;
}
/* Prints a cell of the given width. Leaves it empty if the value is negative (unknown). */
static void put_cell(FILE *out, int width, const char *format, double value) {
    char text[40] = "";
    if (value >= 0) snprintf(text, sizeof text, format, value);
    fprintf(out, " %*s", width, text);
}
static double share(const json_t *record, const json_t *row) {
    const double rate = number_of(row, "elements_per_second"), own = number_of(row, "bytes_an_element"),
                 bytes = own > 0 ? own : number_of(record, "bytes_an_element");
    const bool cpu = json_is_true(json_object_get(row, "cpu")), of_cpu = !strcmp(text_of(record, "device"), "cpu");
    return cpu != of_cpu || rate < 0 ? -1 : 100 * rate * bytes / number_of(record, "bytes_per_second");
}
/* Returns the length of the longest id plus 1, at least 4. */
static int id_width(const json_t *record) {
    size_t k, width = 4;
    json_t *row;
    json_array_foreach(json_object_get(record, "rows"), k, row) {
        const size_t length = strlen(text_of(row, "id"));
        if (length >= width) width = length + 1;
    }
    return (int)width;
}
void ladder_table(const json_t *record, FILE *out) {
    const int wide = id_width(record), name = 43 - wide;
    const bool sweep = json_is_true(json_object_get(record, "sweep")),
               own = json_is_true(json_object_get(record, "bandwidth_measured"));
    size_t k;
    json_t *row;
    bool lost = false;
    fprintf(out, "%s of %.0f elements on %s; %s read bandwidth %.0f GB/s", text_of(record, "op"),
            number_of(record, "elements"), text_of(record, "device"), own ? "measured" : "modeled",
            number_of(record, "bytes_per_second") / 1e9);
    fprintf(out, *text_of(record, "gpu") ? "; modeled for %s\n\n" : "%s\n\n", text_of(record, "gpu"));
    fprintf(out, "%-43s%9s%7s%6s%10s%11s%11s%8s%6s%9s\n", "", sweep ? "blocks" : "launches", "steps", "SIMD", "sectors",
            "modeled", "measured", "G el/s", "%read", "error");
    fprintf(out, "%-43s%9s%7s%6s%10s%11s%11s\n", "", "", "diverge", "%", "", "us", "us");
    json_array_foreach(json_object_get(record, "rows"), k, row) {
        char steps[24] = "";
        lost |= json_is_true(json_object_get(row, "order_lost"));
        fprintf(out, "%-*s%-*s", wide, text_of(row, "id"), name, text_of(row, "name"));
        if (json_object_get(row, "skipped")) {
            fprintf(out, "  left out: %s\n", text_of(row, "skipped"));
            continue;
        }
        if (number_of(row, "tree_steps") >= 0)
            snprintf(steps, sizeof steps, "%.0f/%.0f", number_of(row, "divergent_steps"), number_of(row, "tree_steps"));
        put_cell(out, 8, "%.0f", number_of(row, sweep ? "blocks" : "launches"));
        fprintf(out, " %6s", steps);
        put_cell(out, 5, "%.0f", 100 * number_of(row, "simd_efficiency"));
        put_cell(out, 9, "%.0f", number_of(row, "sectors"));
        put_cell(out, 10, "%.2f", number_of(row, "modeled_us"));
        put_cell(out, 10, "%.2f", number_of(row, "measured_us"));
        put_cell(out, 7, "%.3g", number_of(row, "elements_per_second") / 1e9);
        put_cell(out, 5, "%.0f", share(record, row));
        put_cell(out, 8, "%.1e", number_of(row, "error"));
        fputs(json_is_true(json_object_get(row, "order_lost")) ? "   different result\n" : "\n", out);
        if (json_object_get(row, "wrong")) fprintf(out, "    WRONG: %s\n", text_of(row, "wrong"));
        if (number_of(row, "findings") > 0) fprintf(out, "    %.0f findings\n", number_of(row, "findings"));
    }
    fputs("\nsteps diverge: divergent tree steps of the first block, and all its tree steps. %read: percent of the "
          "bandwidth above.\n",
          out);
    if (lost) fputs("different result: the row reorders operands, and this operator does not commute.\n", out);
}

bool ladder_csv(const json_t *record, FILE *out) {
    static const char *const columns[] = {
        "launches", "blocks",   "tree_steps", "divergent_steps", "simd_efficiency",
        "sectors",  "findings", "modeled_us", "measured_us",     "elements_per_second",
        "error"};
    size_t k;
    json_t *row;
    fputs("id,name,op,elements,device", out);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) fprintf(out, ",%s", columns[c]);
    fputc('\n', out);
    json_array_foreach(json_object_get(record, "rows"), k, row) {
        const bool cpu = json_is_true(json_object_get(row, "cpu"));
        fprintf(out, "%s,\"%s\",%s,%.0f,%s", text_of(row, "id"), text_of(row, "name"), text_of(record, "op"),
                number_of(record, "elements"), cpu ? "cpu" : text_of(record, "device"));
        for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
            const double v = number_of(row, columns[c]);
            fputc(',', out);
            if (v >= 0) fprintf(out, "%.9g", v);
        }
        fputc('\n', out);
    }
    return !ferror(out);
}
