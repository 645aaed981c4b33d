/* Removes orders of execution (`--schedule warp=1`) from a report before a test searches it for terms. Commands may
 * contain terms that the text must not use. */
#ifndef TESTS_REPLAYS_H
#define TESTS_REPLAYS_H

#include <string.h>

static inline void blank_schedules(char *text) {
    static const char option[] = "--schedule ";
    while ((text = strstr(text, option))) {
        text += strlen(option);
        memset(text, ' ', strcspn(text, " \n"));
    }
}

#endif
