/* A page for a browser, put together from files that are in the program: a template, style sheets, scripts, and data as
 * blocks of JSON. The page can be written wherever the program runs, and loads nothing. */
#ifndef REPORT_TEMPLATE_H
#define REPORT_TEMPLATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The file `path` of the source tree between two labels in the program; the Makefile says that the object depends on
 * it. TEMPLATE_ROW(symbol, path) is its row of struct template_file. */
#define TEMPLATE_FILE(symbol, path)                                                                                    \
    __asm__(".section .rodata\n" #symbol ":\n.incbin \"" path "\"\n" #symbol "_end:\n.byte 0\n.previous\n");           \
    extern const char symbol[], symbol##_end[];
#define TEMPLATE_ROW(symbol, path) {path, symbol, symbol##_end},

struct template_file {
    const char *path, *text, *end;
};
/* The value of @NAME@ in the template. */
struct template_data {
    const char *name; /* "@data@" */
    const json_t *value;
};
/* Writes the first of the files, the template. In it, @style@ stands for all files that end in .css and @scripts@ for
 * all that end in .js and @module@ for all that end in .b64, in their order, and the names of `data` for JSON that may
 * are in a script element. Scripts put text of the data in as text, never as markup. False if it could not be written
 * whole. */
bool template_write(const struct template_file *files, size_t file_count, const struct template_data *data,
                    size_t data_count, FILE *out);

#endif
