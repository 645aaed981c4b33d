/* See source.h. */
#include "base/file.h"
#include "compile/source.h"
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    mode_t type;
    const char *name;
} kinds[] = {{S_IFLNK, "a symbolic link"}, {S_IFDIR, "a folder"}, {S_IFIFO, "a pipe (FIFO)"},
             {S_IFSOCK, "a socket"},       {S_IFCHR, "a device"}, {S_IFBLK, "a device"}};

static bool refused(mode_t mode, char *why, size_t size) {
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if ((mode & S_IFMT) == kinds[k].type)
            return snprintf(why, size, "is %s, but only a regular file is accepted", kinds[k].name), true;
    return false;
}
/* Removes a byte order mark. Editors on Windows write one, but NVRTC rejects it. */
static char *without_mark(char *text, size_t length) {
    static const char mark[] = "\xef\xbb\xbf";
    const size_t n = sizeof mark - 1;
    if (!strncmp(text, mark, n)) memmove(text, text + n, length - n + 1); /* with the final NUL */
    return text;
}
char *source_read(const char *path, size_t most, char *why, size_t size) {
    struct stat s;
    size_t length;
    char *text = file_read(path, FILE_NO_LINK, most, &length);
    const int error = errno;
    if (text && !memchr(text, 0, length)) return without_mark(text, length);
    if (text)
        snprintf(why, size, "contains NUL bytes: it is not a text file");
    else if (error == EFBIG)
        snprintf(why, size, "is larger than %zu KiB", most >> 10);
    else if (lstat(path, &s) || !refused(s.st_mode, why, size))
        snprintf(why, size, "cannot be read: %s", strerror(error));
    free(text);
    return NULL;
}

/* Skips spaces, tabs and escaped newlines. */
static const char *past_blanks(const char *s) {
    while (*s == ' ' || *s == '\t' || (s[0] == '\\' && s[1] == '\n')) s += *s == '\\' ? 2 : 1;
    return s;
}
/* Returns whether the line is a directive that changes line numbers or file names, such as #line 5 "x" or # 5 "x".
 * Accepts the digraph %: for #. */
static bool renumbers(const char *line) {
    const char *s = past_blanks(line);
    if (*s != '#' && strncmp(s, "%:", 2)) return false;
    char word[6] = "";
    s = past_blanks(s + (*s == '#' ? 1 : 2));
    if (isdigit((unsigned char)*s)) return true;
    for (size_t n = 0; n < 4; n++) {
        while (s[0] == '\\' && s[1] == '\n') s += 2;
        if (*s) word[n] = *s++;
    }
    return !strcmp(word, "line") && !isalnum((unsigned char)*s) && *s != '_';
}
unsigned source_renumbered(const char *text) {
    unsigned number = 1;
    for (const char *line = text; line; number++) {
        if (renumbers(line)) return number;
        if ((line = strchr(line, '\n'))) line++;
    }
    return 0;
}
