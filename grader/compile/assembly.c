/* See assembly.h. In PTX, compilers mark inline assembly with comments, which follow its source line (.loc):
 *
 *     .loc 1 12 5
 *     // begin inline asm
 *     mov.u32 %r1, %laneid;
 *     // end inline asm */
#include "compile/assembly.h"
#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILES = 64, MAX_LINES = 64 };
struct reading {
    enum assembly rule;
    const char *ptx;
    uint64_t files;   /* the submission's .file numbers, as bits */
    unsigned line;    /* source line of the last .loc */
    bool own, inside; /* own: whether `line` is in the submission; inside: whether the reader is between the comments
                         that mark inline assembly */
    unsigned count, lines[MAX_LINES], of_line[MAX_LINES],
        here; /* lines: source lines of this kernel that contain inline assembly; of_line: number of instructions on
                 each of these lines; here: number of instructions in the current block */
    unsigned accesses; /* number of instructions in the current block that access global memory */
    char *message;
    size_t size;
};
static bool complain(struct reading *r, unsigned line, const char *format, ...) __attribute__((format(printf, 3, 4)));
static bool complain(struct reading *r, unsigned line, const char *format, ...) {
    const int n = snprintf(r->message, r->size, "%u: ", line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->message + n, r->size - (size_t)n, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- the source: the beginning and end of assembly must be visible ----------------------------------- */
static unsigned line_of(const char *text, const char *at) {
    unsigned line = 1;
    for (const char *s = text; s < at; s++) line += *s == '\n';
    return line;
}
/* Finds a string literal that could put a comment into the PTX: a raw literal, one that contains a slash or an escape
 * other than \n and \t, or the constraint "C", which inserts an array of characters into the assembly. */
static const char *unclear_text(const char *source) {
    for (const char *s = source; *s; s++) {
        if (s[0] == '/' && s[1] == '/') {
            s += strcspn(s, "\n");
            if (!*s) return NULL;
        } else if (s[0] == '/' && s[1] == '*') {
            const char *end = strstr(s + 2, "*/");
            if (!end) return NULL;
            s = end + 1;
        } else if (*s == '\'' && s[1] && s > source && !isalnum((unsigned char)s[-1])) {
            s += s[1] == '\\' ? 3 : 2;
            if (!s[-1] || !*s) return NULL;
        } else if (*s == '"') {
            const char *begin = s;
            if ((s > source && s[-1] == 'R') || !strncmp(s, "\"C\"", 3)) return begin;
            for (s++; *s && *s != '"' && *s != '\n'; s++) {
                if (*s == '/') return begin;
                if (*s == '\\' && !strchr("nt\n\"", s[1])) return begin;
                if (*s == '\\') s++;
            }
            if (!*s) return NULL;
        }
    }
    return NULL;
}
/* Finds a macro operator: #, which converts its argument to a string. If `joins`, also finds ##, which joins tokens. */
static const char *makes_text(const char *source, bool joins) {
    for (const char *line = source; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        const char *s = line + strspn(line, " \t"), *end = s;
        if (*s != '#' && strncmp(s, "%:", 2)) continue;
        while (*end && (*end != '\n' || end[-1] == '\\')) end++;
        for (s += *s == '#' ? 1 : 2; s < end; s++) {
            const size_t one = *s == '#' ? 1 : !strncmp(s, "%:", 2) ? 2 : 0;
            if (!one) continue;
            const bool pasted = !strncmp(s, s + one, one);
            if (joins || !pasted) return s;
            s += 2 * one - 1;
        }
    }
    return NULL;
}

/* Returns whether the text contains the keyword `asm` or could build it from pieces. If not, all inline assembly comes
 * from built-in functions such as __ldg(), for which NVRTC reports the line of the call. */
static bool may_have_assembly(const char *source) {
    static const char *const words[] = {"asm", "__asm", "__asm__"};
    for (const char *s = source; *s;) {
        const char *end = s;
        while (isalnum((unsigned char)*end) || *end == '_') end++;
        for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
            if (strlen(words[k]) == (size_t)(end - s) && !memcmp(s, words[k], (size_t)(end - s))) return true;
        if (*end == '\\' && end[1] == '\n' && end > s) return true; /* the keyword may continue on the next line */
        s = *end && end == s ? end + 1 : end;
    }
    return makes_text(source, true) != NULL;
}

/* ---- PTX ----------------------------------------------------------------------------------------- */
static bool begins(const char *s, const char *word) { return !strncmp(s, word, strlen(word)); }
/* Returns the submission's .file numbers as a bit set. PTX declares them in lines such as .file 3 "reduce.cu". */
static uint64_t own_files(const char *ptx) {
    uint64_t own = 0;
    for (const char *at = ptx; (at = strstr(at, ".file")); at++) {
        unsigned number;
        int end = 0;
        const bool named = sscanf(at, ".file %u %n", &number, &end) == 1 && end && begins(at + end, "\"reduce.cu\"");
        if (named && number < MAX_FILES) own |= UINT64_C(1) << number;
    }
    return own;
}
static bool moves_control(const char *opcode, size_t length) {
    static const char *const words[] = {"bra", "brx", "call", "ret", "exit", "trap", "brkpt"};
    const size_t root = strcspn(opcode, ".") < length ? strcspn(opcode, ".") : length;
    for (unsigned k = 0; k < sizeof words / sizeof *words; k++)
        if (strlen(words[k]) == root && !memcmp(words[k], opcode, root)) return true;
    return false;
}
/* Checks one statement of inline assembly, passed without its terminating ";". */
static bool take(struct reading *r, const char *s, size_t length) {
    while (length && isspace((unsigned char)*s)) s++, length--;
    if (length && *s == '@') { /* a predicate */
        while (length && !isspace((unsigned char)*s)) s++, length--;
        while (length && isspace((unsigned char)*s)) s++, length--;
    }
    const size_t word = length ? strcspn(s, " \t\n;") : 0, n = word < length ? word : length;
    if (!n || (n >= 4 && !strncmp(s, ".reg", 4))) return true;
    const bool label = s[n - 1] == ':';
    if (*s == '.' || label || moves_control(s, n))
        return complain(r, r->line,
                        "inline assembly with `%.*s`: only single instructions are allowed here; write labels, "
                        "branches, calls and variables in CUDA C++",
                        (int)(n > 40 ? 40 : n), s);
    r->here++, r->accesses += begins(s, "ld.global.") || begins(s, "st.global.");
    return true;
}
/* Returns the end of a statement. A ":" ends a label, but "::" is part of a modifier. A "{" opens a block at the
 * beginning of a statement and a vector elsewhere. */
static const char *end_of_statement(const char *begin, const char *end) {
    bool empty = true, vector = false;
    for (const char *at = begin; at < end; at++) {
        const bool part = (*at == '{' && !empty) || (*at == '}' && vector);
        if (part) vector = *at == '{';
        if (!part && strchr(";{}", *at)) return at;
        if (*at == ':' && !(at + 1 < end && at[1] == ':') && !(at > begin && at[-1] == ':')) return at;
        empty &= isspace((unsigned char)*at) != 0;
    }
    return end;
}
static bool take_line(struct reading *r, const char *line, size_t length) {
    for (const char *end = line + length; line < end;) {
        const char *at = end_of_statement(line, end);
        const bool label = at < end && *at == ':';
        if (!take(r, line, (size_t)(at - line) + label)) return false;
        line = at + (at < end);
    }
    return true;
}
/* Finishes a block of inline assembly. Counts only the largest block of each line, because the others are copies from
 * unrolled loops. Ignores a block that is a single memory access, because it may come from __ldg() or another built-in
 * function. */
static bool end_block(struct reading *r) {
    unsigned k = 0, sum = 0;
    if (r->here == 1 && r->accesses == 1) return true;
    while (k < r->count && r->lines[k] != r->line) k++;
    if (k == r->count && r->count < MAX_LINES) r->lines[r->count] = r->line, r->of_line[r->count++] = 0;
    if (k < r->count && r->of_line[k] < r->here) r->of_line[k] = r->here;
    for (unsigned n = 0; n < r->count; n++) sum += r->of_line[n];
    return sum <= ASSEMBLY_MAX && k < MAX_LINES
               ? true
               : complain(r, r->line,
                          "more than %d instructions of inline assembly in one kernel: write the kernel in CUDA C++, "
                          "and use inline assembly only for single instructions",
                          ASSEMBLY_MAX);
}
static void take_location(struct reading *r, const char *line) {
    unsigned file = 0;
    if (sscanf(line, ".loc %u %u", &file, &r->line) == 2) r->own = file < MAX_FILES && r->files >> file & 1;
}
/* Reads the PTX. Returns false at the first instruction that is not allowed. Sets *found to true if the submission has
 * inline assembly. */
static bool read_ptx(struct reading *r, bool *found) {
    for (const char *line = r->ptx; *line;) {
        const size_t n = strcspn(line, "\n"), blanks = strspn(line, " \t");
        const char *s = line + blanks;
        if (!r->inside && begins(s, ".loc")) take_location(r, s);
        if (!r->inside && (begins(s, ".entry ") || begins(s, ".visible .entry "))) r->count = 0;
        if (!r->inside && begins(s, "// begin inline asm"))
            r->inside = true, r->here = r->accesses = 0, *found |= r->own;
        else if (r->inside && begins(s, "// end inline asm")) {
            r->inside = false;
            if (r->own && r->rule == ASSEMBLY_SOME && !end_block(r)) return false;
        } else if (r->inside && r->own && r->rule == ASSEMBLY_SOME && !take_line(r, s, n > blanks ? n - blanks : 0))
            return false;
        if (*found && r->rule == ASSEMBLY_NO)
            return complain(r, r->line, "this lab does not allow inline assembly: write the kernel in CUDA C++");
        line += n + (line[n] == '\n');
    }
    return true;
}
bool assembly_allowed(enum assembly rule, const char *source, const char *ptx, char *message, size_t size) {
    struct reading r = {.rule = rule, .ptx = ptx, .files = own_files(ptx), .message = message, .size = size};
    bool found = false;
    if (rule == ASSEMBLY_YES || !strstr(ptx, "// begin inline asm") || !may_have_assembly(source)) return true;
    if (!read_ptx(&r, &found)) return false;
    const char *hides = found ? unclear_text(source) : NULL;
    if (hides)
        return complain(&r, line_of(source, hides),
                        "in a file with inline assembly, a string literal must not contain a slash or an escape other "
                        "than \\n and \\t, have the prefix R, or be the constraint \"C\"");
    /* A slash in a macro's argument becomes a slash in a string. Joined tokens contain no slash. */
    if (found && (hides = makes_text(source, false)))
        return complain(&r, line_of(source, hides),
                        "in a file with inline assembly, a macro must not use the operator #, which makes strings");
    return true;
}
