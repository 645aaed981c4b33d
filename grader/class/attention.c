/* Defines the kinds of entries that need the instructor's attention, in descending order of urgency. */
#include "class/facts.h"
#include <string.h>

static const struct row {
    const char *what, *title, *remedy;
} rows[ATTENTIONS] = {
    [ATTENTION_SETUP] =
        {"setup", "Not graded: the setup failed",
         "fix the cause that the message names, then run make gradebook again, which grades these submissions"},
    [ATTENTION_UNGRADED] = {"ungraded", "Not graded yet", "run make gradebook again"},
    [ATTENTION_REFUSED] = {"refused", "No file that can be graded",
                           "ask the student for one plain text file, or rename the right file to lab3.cu"},
    [ATTENTION_BUILD] = {"build", "Does not build", "see the compiler's first error"},
    [ATTENTION_STOPPED] = {"stopped", "A kernel that does not end, or a check that did not finish",
                           "these checks get no points"},
    [ATTENTION_SAME] = {"same", "The same file, byte for byte", "ask who wrote it"},
    [ATTENTION_ALIKE] = {"alike", "More similar to each other than most submissions of the class",
                         "compare both submissions in class.html, and ask the students; similarity alone proves "
                         "nothing"},
    [ATTENTION_REFERENCE] = {"reference", "Identical to the reference solution, except for comments and whitespace",
                             "find out whether the solution has leaked"},
    [ATTENTION_NAMED] = {"named", "Graded despite an unexpected file name", "check that it is the right file"},
    [ATTENTION_LEFT_OUT] = {"left out", "Graded without some of the submitted files",
                            "check that the right file was graded"},
    [ATTENTION_TIME] =
        {"time", "Late, but the submission time is uncertain",
         "the export has no submission time, or only a file's time, which copying can change: look up the "
         "time on the server, and enter the student in extensions.csv or overrides.csv"},
    [ATTENTION_UNLISTED] = {"unlisted", "Not in the roster",
                            "if the roster has this student under another id, correct the folder's name or the roster, "
                            "and run make gradebook again"},
    [ATTENTION_LOOSE] =
        {"loose", "Files that belong to no submission",
         "if one of them is a submission, move it to the student's folder, name it after its lab, such as "
         "lab3.cu, and run make gradebook again"},
    [ATTENTION_MISSING] = {"missing", "No submission", ""},
};
enum { MAX_SHOWN = 400 };

void attend(json_t *attention, enum attention what, const char *lab, const json_t *student, const char *text) {
    char line[MAX_SHOWN + 1];
    size_t n = strcspn(text, "\r\n");
    if (n > MAX_SHOWN) n = MAX_SHOWN;
    while (n && n == MAX_SHOWN && (text[n] & 0xc0) == 0x80) n--; /* do not cut inside a UTF-8 character */
    snprintf(line, sizeof line, "%.*s", (int)n, text);
    json_array_append_new(attention,
                          json_pack("{s:s, s:s, s:s, s:s, s:o}", "what", rows[what].what, "lab", lab, "id",
                                    text_of(student, "id"), "name", text_of(student, "name"), "text", text_json(line)));
}
static enum attention attention_of(const json_t *one) {
    const char *what = text_of(one, "what");
    unsigned k = 0;
    while (k < ATTENTIONS && strcmp(rows[k].what, what)) k++;
    return k;
}
const char *attention_title(unsigned k) { return k < ATTENTIONS ? rows[k].title : NULL; }
const char *attention_what(unsigned k) { return rows[k].what; }
const char *attention_remedy(unsigned k) { return rows[k].remedy; }

/* Prints the text. Replaces each newline with a space. Replaces each other control character, each line or paragraph
 * separator, and each character that changes the direction of text with `?`. */
static void put_visible(const char *text, FILE *out) {
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        const bool turns = c[0] == 0xe2 && ((c[1] == 0x80 && c[2] >= 0xa8 && c[2] <= 0xae) ||
                                            (c[1] == 0x81 && c[2] >= 0xa6 && c[2] <= 0xa9));
        const bool c1 = c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0;
        fputc(*c == '\n' ? ' ' : turns || c1 || *c < ' ' || *c == 127 ? '?' : *c, out);
        c += turns ? 2 : c1 ? 1 : 0;
    }
}
void class_attention(const json_t *facts, FILE *out) {
    size_t n, total = json_array_size(json_object_get(facts, "attention"));
    json_t *a;
    if (!total) fputs("Nothing needs attention.\n", out);
    for (unsigned k = 0; k < ATTENTIONS; k++) {
        size_t count = 0;
        json_array_foreach(json_object_get(facts, "attention"), n, a) count += attention_of(a) == k;
        if (!count) continue;
        fprintf(out, "%s (%zu)%s%s\n", rows[k].title, count, *rows[k].remedy ? ": " : "", rows[k].remedy);
        json_array_foreach(json_object_get(facts, "attention"), n, a) {
            if (attention_of(a) != k) continue;
            fprintf(out, "  %-6s ", text_of(a, "lab"));
            put_visible(text_of(a, "id"), out);
            if (*text_of(a, "name")) fputs(" (", out), put_visible(text_of(a, "name"), out), fputc(')', out);
            if (*text_of(a, "id") && *text_of(a, "text")) fputs(": ", out);
            put_visible(text_of(a, "text"), out);
            fputc('\n', out);
        }
        fputc('\n', out);
    }
}
