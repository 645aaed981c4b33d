/* Assembles an HTML page from files embedded in the program: a template, style sheets, scripts, and data as JSON.
 * The page is self-contained and loads nothing. */
#ifndef REPORT_TEMPLATE_H
#define REPORT_TEMPLATE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Embeds the file `path` of the source tree between two symbols; the Makefile lists it as a dependency of the object
 * file. TEMPLATE_ROW(symbol, path) is its row of struct template_file. */
#define TEMPLATE_FILE(symbol, path)                                                                                    \
    __asm__(".section .rodata\n" #symbol ":\n.incbin \"" path "\"\n" #symbol "_end:\n.byte 0\n.previous\n");           \
    extern const char symbol[], symbol##_end[];
#define TEMPLATE_ROW(symbol, path) {path, symbol, symbol##_end},

struct template_file {
    const char *path, *text, *end;
};
/* The value that replaces @NAME@ in the template. */
struct template_data {
    const char *name; /* such as "@data@" */
    const json_t *value;
};
/* Writes the first file, the template. Replaces @style@ with all .css files, @scripts@ with all .js files, and @module@
 * with all .b64 files, in order. Replaces the names in `data` with JSON that is safe inside a script element. Scripts
 * must insert text of the data as text, never as markup. Returns false if it could not be written completely. */
bool template_write(const struct template_file *files, size_t file_count, const struct template_data *data,
                    size_t data_count, FILE *out);

#endif
