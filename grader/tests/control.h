/* Finds control characters in output. A terminal would interpret them. */
#ifndef TESTS_CONTROL_H
#define TESTS_CONTROL_H

#include <ctype.h>
#include <stddef.h>

/* Returns the first control character that is not a line feed, or NULL if there is none. */
static inline const char *control_character(const char *text) {
    for (; *text; text++)
        if (*text != '\n' && iscntrl((unsigned char)*text)) return text;
    return NULL;
}

#endif
