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

#endif
