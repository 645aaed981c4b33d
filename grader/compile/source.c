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
/* Returns the text after the # of the line's directive, or NULL if the line has none. Accepts the digraph %: for #. */
static const char *directive(const char *line) {
    const char *s = past_blanks(line);
    if (*s == '#') return past_blanks(s + 1);
    return strncmp(s, "%:", 2) ? NULL : past_blanks(s + 2);
}
static bool is_word_character(char c) { return isalnum((unsigned char)c) || c == '_'; }
/* Returns the text after the word and blanks, or NULL if the text does not start with the word. The word may contain
 * escaped newlines. */
static const char *past_word(const char *s, const char *word) {
    for (; *word; s++, word++) {
        while (s[0] == '\\' && s[1] == '\n') s += 2;
        if (*s != *word) return NULL;
    }
    return is_word_character(*s) ? NULL : past_blanks(s);
}
/* Returns whether the line is a directive that changes line numbers or file names, such as #line 5 "x" or # 5 "x". */
static bool renumbers(const char *line) {
    const char *s = directive(line);
    return s && (isdigit((unsigned char)*s) || past_word(s, "line"));
}
static const char *next_line(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end + 1 : NULL;
}
unsigned source_renumbered(const char *text) {
    unsigned number = 1;
    for (const char *line = text; line; line = next_line(line), number++)
        if (renumbers(line)) return number;
    return 0;
}

/* ---- several copies in one translation unit ------------------------------------------------------ */
/* Returns the character after a comment or a literal that begins at s, or s. A literal ends at the end of its line. */
static const char *past_comment_or_literal(const char *s) {
    if (s[0] == '/' && s[1] == '/') return s + strcspn(s, "\n");
    if (s[0] == '/' && s[1] == '*') {
        const char *end = strstr(s + 2, "*/");
        return end ? end + 2 : s + strlen(s);
    }
    if (*s != '"' && *s != '\'') return s;
    const char quote = *s++;
    while (*s && *s != quote && *s != '\n') s += s[0] == '\\' && s[1] ? 2 : 1;
    return s + (*s == quote);
}
/* Returns a copy of the text in which constant strings replace the macros of the clock. */
static char *with_stopped_clock(const char *text) {
    static const char *const macros[][2] = {{"__DATE__", "\"Jan  1 1970\""},
                                            {"__TIME__", "\"00:00:00\""},
                                            {"__TIMESTAMP__", "\"Thu Jan  1 00:00:00 1970\""}};
    char *copy = malloc(2 * strlen(text) + 1), *out = copy; /* no string is twice as long as its macro */
    for (const char *s = text; *s;) {
        const char *after = past_comment_or_literal(s), *macro = NULL;
        size_t length = 0;
        while (is_word_character(s[length])) length++;
        for (unsigned k = 0; k < sizeof macros / sizeof *macros; k++)
            if (length == strlen(macros[k][0]) && !memcmp(s, macros[k][0], length)) macro = macros[k][1];
        if (after == s) after = s + (length ? length : 1);
        out = macro ? stpcpy(out, macro) : mempcpy(out, s, (size_t)(after - s));
        s = after;
    }
    *out = 0;
    return copy;
}
char *source_to_compile(const char *text) {
    static const char word[] = "once";
    char *copy = with_stopped_clock(text);
    for (const char *line = copy; line; line = next_line(line)) {
        const char *s = directive(line), *once = s ? past_word(s, "pragma") : NULL;
        if (once && past_word(once, word)) memset(copy + (once - copy), ' ', sizeof word - 1);
    }
    return copy;
}
/* Writes `format` for each macro that the text defines. */
static void write_macros(FILE *unit, const char *text, const char *format) {
    for (const char *line = text; line; line = next_line(line)) {
        const char *s = directive(line), *name = s ? past_word(s, "define") : NULL;
        int length = 0;
        while (name && is_word_character(name[length])) length++;
        if (length) fprintf(unit, format, length, name, length, name);
    }
}
#define NOTED "REDUCE_NOTED_"
void source_note_macros(FILE *unit, const char *text) {
    write_macros(unit, text, "#ifdef %.*s\n#define " NOTED "%.*s\n#endif\n");
}
void source_forget_macros(FILE *unit, const char *text) {
    write_macros(unit, text, "#ifndef " NOTED "%.*s\n#undef %.*s\n#endif\n");
}
