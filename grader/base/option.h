/* Values of a command's options, for argp. */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H
#include <argp.h>
#include <stdint.h>

/* The number that `text` says, from `least` to `most`: decimal, 0x or 0 (octal) before it. What is none, or outside,
 * ends the command with argp_error(), which names `what`. */
uint64_t option_number(struct argp_state *state, const char *text, const char *what, uint64_t least, uint64_t most);

#endif
