/* A report's commands are not prose: orders of execution (`--schedule warp=1`) are blanked before a test searches the
 * report for terms. */
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
