/* Parses the values of options, for argp. */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H
#include <argp.h>
#include <stdint.h>

/* Parses an integer from `least` to `most`: decimal, hexadecimal (0x) or octal (0). If `text` is not such a number,
 * exits with argp_error(), whose message names `what`. */
uint64_t option_number(struct argp_state *state, const char *text, const char *what, uint64_t least, uint64_t most);

#endif
