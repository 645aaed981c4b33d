/* Writes the manual page. See describe.h. */
#include "describe.h"
#include <ctype.h>
#include <string.h>

/* Escapes text for man(7): no line may begin with a request by accident, and the hyphens of options must stay
 * hyphens. */
static void put(FILE *out, const char *text) {
    for (const char *s = text; *s; s++)
        if (*s == '\\')
            fputs("\\e", out);
        else if (*s == '-')
            fputs("\\-", out);
        else if ((*s == '.' || *s == '\'') && (s == text || s[-1] == '\n'))
            fprintf(out, "\\&%c", *s);
        else
            fputc(*s, out);
}
static void line(FILE *out, const char *macro, const char *text) {
    fputs(macro, out);
    put(out, text);
    fputc('\n', out);
}
/* Writes an option as --help of argp does: "-d, --device=NAME". */
static void option(FILE *out, const struct argp_option *row) {
    fputs(".TP\n", out);
    if (isgraph(row->key)) fprintf(out, "\\fB\\-%c\\fR, ", row->key);
    fputs("\\fB\\-\\-", out), put(out, row->name), fputs("\\fR", out);
    if (row->arg) {
        fputs(row->flags & OPTION_ARG_OPTIONAL ? "[=\\fI" : "=\\fI", out);
        put(out, row->arg);
        fputs(row->flags & OPTION_ARG_OPTIONAL ? "\\fR]" : "\\fR", out);
    }
    fputc('\n', out);
    line(out, "", row->doc);
}
/* Titles of the option groups of ./grade, in the order of --help. */
static const char *const groups[] = {"Labs, device and compiler", "Repeating a failure", "Other files", "Reports",
                                     "Documents"};
static void options(FILE *out, const struct described *d) {
    int group = 0;
    for (int g = 1; g <= 9; g++)
        for (const struct argp_option *row = d->rows; row->name; row++) {
            if (row->group != g) continue;
            if (!*d->word && group != g && g <= (int)(sizeof groups / sizeof *groups)) line(out, ".SS ", groups[g - 1]);
            group = g;
            option(out, row);
        }
}
static const struct {
    const char *head, *text;
} statuses[] = {{"0", "full credit"},
                {"1", "less than full credit"},
                {"2", "usage error"},
                {"3", "setup failure"},
                {"4", "the submission does not build"}},
  variables[] = {{"CUDA", "the compiler, unless \\-\\-compiler names one"},
                 {"NVRTC", "a folder with NVIDIA's run-time compiler"},
                 {"GRADE_CACHE", "a folder for compiled kernels and the history of grades"},
                 {"GRADE_SECRET, GRADE_SECRET_FILE", "the course's secret, from which seeds are derived"},
                 {"NO_COLOR", "if not empty, turns color off"}},
  examples[] = {{"grade lab3", "grade labs/lab3_*/reduce.cu"},
                {"grade lab3 \\-\\-html report.html", "write the report as an HTML page"},
                {"grade lab3 \\-\\-findings \\-", "print only one line per finding, for an editor"},
                {"grade all \\-\\-changed", "grade every lab that was started"}};
#define LIST(section, rows)                                                                                            \
    do {                                                                                                               \
        fputs(".SH " section "\n", out);                                                                               \
        for (unsigned k = 0; k < sizeof rows / sizeof *rows; k++)                                                      \
            fprintf(out, ".TP\n\\fB%s\\fR\n%s\n", rows[k].head, rows[k].text);                                         \
    } while (0)
void describe_man(FILE *out) {
    struct described all[DESCRIBED];
    describe_commands(all);
    fputs(
        ".\\\" Made by `grade --man` from the tables of options.\n.TH GRADE 1 \"\" \"Reduction labs\" \"\"\n.SH NAME\n"
        "grade \\- grade CUDA reductions, on a simulator and on a GPU\n.SH SYNOPSIS\n",
        out);
    for (unsigned k = 0; k < DESCRIBED; k++) {
        fprintf(out, "%s.B grade%s%s\n[\\fIOPTION\\fR...]", k ? ".br\n" : "", *all[k].word ? " " : "", all[k].word);
        if (*all[k].arguments) fputs(" \\fI", out), put(out, all[k].arguments), fputs("\\fR", out);
        fputc('\n', out);
    }
    fputs(".SH DESCRIPTION\n", out);
    for (unsigned k = 0; k < DESCRIBED; k++) {
        fprintf(out, ".TP\n.B grade%s%s\n", *all[k].word ? " " : "", all[k].word);
        put(out, all[k].what), fputs(".\n", out);
    }
    fputs(".PP\nThe kit's folder is the folder of the command or a folder above it. If none of these is a kit, it is "
          "the working folder or a folder above it.\n",
          out);
    fputs(".SH OPTIONS\n", out);
    options(out, &all[0]);
    for (unsigned k = 1; k < DESCRIBED; k++) {
        if (!all[k].rows->name) continue;
        fputs(".SH OPTIONS OF GRADE ", out);
        for (const char *c = all[k].word; *c; c++) fputc(toupper((unsigned char)*c), out);
        fputc('\n', out);
        options(out, &all[k]);
    }
    LIST("EXIT STATUS", statuses);
    LIST("ENVIRONMENT", variables);
    LIST("EXAMPLES", examples);
}
