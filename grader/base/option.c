#include "base/option.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

bool option_read(const char *text, uint64_t *out) {
    char *end;
    errno = 0;
    *out = strtoull(text, &end, 0);
    return !errno && !*end && isdigit((unsigned char)*text);
}
uint64_t option_number(struct argp_state *state, const char *text, const char *what, uint64_t least, uint64_t most) {
    uint64_t v;
    if (!option_read(text, &v) || v < least || v > most)
        argp_error(state, "%s must be a number from %llu to %llu, not `%s`", what, (unsigned long long)least,
                   (unsigned long long)most, text);
    return v;
}
