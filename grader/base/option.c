#include "base/option.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

uint64_t option_number(struct argp_state *state, const char *text, const char *what, uint64_t least, uint64_t most) {
    char *end;
    errno = 0;
    const unsigned long long v = strtoull(text, &end, 0);
    if (errno || *end || !isdigit((unsigned char)*text) || v < least || v > most)
        argp_error(state, "%s must be a number from %llu to %llu, not `%s`", what, (unsigned long long)least,
                   (unsigned long long)most, text);
    return v;
}
