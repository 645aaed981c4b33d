/* Parses the values of options, for argp. */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H
#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* Parses an integer from 0 to 2^64-1: decimal, hexadecimal (0x) or octal (0). Returns false if `text` is not such a
 * number. */
bool option_read(const char *text, uint64_t *out);
/* Parses an integer from `least` to `most` in the same formats. If `text` is anything else, exits with argp_error() and
 * a message that begins with `what`, the name of the value. */
uint64_t option_number(struct argp_state *state, const char *text, const char *what, uint64_t least, uint64_t most);
/* A file that an option writes; `path` is NULL if the option is not given. */
struct option_output {
    const char *option, *path; /* the option's name, without dashes */
};
/* Checks the files that options write, before anything is written. Exits with argp_error() if two of them are the same
 * file or standard output ("-"), or if one is a source file, a header, PTX or predictions.txt (by its name or, for a
 * link, its target's), or the same file as one of the NULL-terminated `inputs`. */
void option_outputs(struct argp_state *state, const struct option_output *outputs, unsigned count,
                    const char *const *inputs);

#endif
