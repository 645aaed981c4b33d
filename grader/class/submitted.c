/* Reads a submitted file and converts its encoding. Recognizes files that are not text despite their names. */
#include "base/file.h"
#include "class/class.h"
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The first bytes of files that students submit under the name of a text. No such bytes begin a CUDA program. */
static const struct format {
    const char *bytes;
    size_t length;
    const char *name;
} formats[] = {
#define FORMAT(bytes, name)                                                                                            \
    { bytes, sizeof bytes - 1, name }
    FORMAT("PK\3\4", "a ZIP archive or a Word document"),
    FORMAT("PK\5\6", "an empty ZIP archive"),
    FORMAT("%PDF-", "a PDF document"),
    FORMAT("{\\rtf", "an RTF document"),
    FORMAT("\xd0\xcf\x11\xe0", "a Word document"),
    FORMAT("Rar!\x1a\7", "a RAR archive"),
    FORMAT("7z\xbc\xaf\x27\x1c", "a 7z archive"),
    FORMAT("\x1f\x8b", "a gzip archive"),
    FORMAT("BZh", "a bzip2 archive"),
    FORMAT("\xfd"
           "7zXZ",
           "an xz archive"),
    FORMAT("# v2 git bundle", "a git bundle"),
    FORMAT("# v3 git bundle", "a git bundle"),
    FORMAT("\x7f"
           "ELF",
           "a compiled program"),
    FORMAT("MZ\x90", "a compiled program"),
    FORMAT("\x89PNG", "a picture"),
    FORMAT("\xff\xd8\xff", "a picture"),
    FORMAT("\0\5\x16\7", "macOS metadata of another file"),
};
static const char *format_of(const char *data, size_t length) {
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++)
        if (length >= formats[k].length && !memcmp(data, formats[k].bytes, formats[k].length)) return formats[k].name;
    return NULL;
}
/* Returns what the text is, if its first characters belong to no CUDA program: a page that a student saved instead of
 * the file, or a notebook. Otherwise, returns NULL. Merge conflicts (<<<<) are a program's mistake. */
static const char *document_of(const char *text) {
    static const char mark[] = "\xef\xbb\xbf", *const notebook[] = {"\"cells\"", "\"nbformat\"", "\"metadata\""};
    if (!strncmp(text, mark, 3)) text += 3;
    text += strspn(text, " \t\r\n");
    if (text[0] == '<' && (isalpha((unsigned char)text[1]) || text[1] == '!' || text[1] == '?'))
        return "a web page or an XML document";
    if (*text++ != '{') return NULL;
    text += strspn(text, " \t\r\n");
    for (size_t k = 0; k < sizeof notebook / sizeof *notebook; k++)
        if (!strncmp(text, notebook[k], strlen(notebook[k]))) return "a notebook";
    return NULL;
}
/* Returns whether the text consists only of whitespace, NUL bytes (which a crash or a full disk leaves behind) and a
 * byte order mark. */
static bool is_blank(const char *text, size_t length) {
    static const char mark[] = "\xef\xbb\xbf";
    size_t n = length >= 3 && !memcmp(text, mark, 3) ? 3 : 0;
    while (n < length && (!text[n] || isspace((unsigned char)text[n]))) n++;
    return n == length;
}
/* Converts the line ends of a text in which every line ends with \r alone. */
static void mend_lines(char *text, size_t length) {
    if (memchr(text, '\n', length)) return;
    for (size_t k = 0; k < length; k++)
        if (text[k] == '\r') text[k] = '\n';
}
char *submitted_text(const char *path, size_t most, size_t *length, char *why, size_t size) {
    char *data = file_read(path, FILE_NO_LINK | FILE_CUT, most, length);
    *why = 0;
    if (!data) return snprintf(why, size, "cannot be read: %s", strerror(errno)), NULL;
    const char *format = format_of(data, *length);
    if (!format) {
        data = text_utf8(data, length);
        mend_lines(data, *length);
    }
    const char *document = format ? NULL : document_of(data);
    if (format)
        snprintf(why, size, "is %s, not a text file", format);
    else if (document)
        snprintf(why, size, "is %s, not a CUDA program", document);
    else if (is_blank(data, *length))
        snprintf(why, size, "is empty");
    if (*why) free(data), data = NULL;
    return data;
}
