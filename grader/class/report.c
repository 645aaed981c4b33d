/* Writes the results of the class: the facts, and the output formats in the table below. */
#include "base/file.h"
#include "class/facts.h"
#include "record/status.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void own_csv(const json_t *facts, FILE *out) { class_csv(facts, CSV_OWN, out); }
static void canvas_csv(const json_t *facts, FILE *out) { class_csv(facts, CSV_CANVAS, out); }
static void gradescope_csv(const json_t *facts, FILE *out) { class_csv(facts, CSV_GRADESCOPE, out); }
static void facts_json(const json_t *facts, FILE *out) { json_dumpf(facts, out, JSON_INDENT(1)); }
/* Writes a row for each cause that edits would fix, with the number of such submissions and an example edit. */
static void class_fixes_csv(const json_t *facts, FILE *out) {
    size_t k, n, i;
    json_t *lab, *fix, *line;
    fputs("lab,cause,submissions,searched,idea,edit\r\n", out);
    json_array_foreach(json_object_get(facts, "labs"), k, lab) {
        const json_t *fixes = json_object_get(lab, "fixes");
        json_array_foreach(json_object_get(fixes, "edits"), n, fix) {
            char *edit = NULL;
            size_t length;
            FILE *f = open_memstream(&edit, &length);
            json_array_foreach(json_object_get(fix, "diff"), i, line) if (f)
                fprintf(f, "%s%s", i ? " | " : "", json_string_value(line));
            if (f) fclose(f);
            fprintf(out, "%s,%s,%lld,%lld,", text_of(lab, "id"), text_of(fix, "cause"),
                    (long long)json_integer_value(json_object_get(fix, "students")),
                    (long long)json_integer_value(json_object_get(fixes, "searched")));
            csv_cell(text_of(fix, "idea"), out), fputc(',', out);
            csv_cell(edit ? edit : "", out), fputs("\r\n", out);
            free(edit);
        }
    }
}
/* Prints a line such as "lab3: edits would fix 9 of the 15 submissions with less than full credit: 5 BARRIER, 4 GUARD".
 */
static void say_fixes(const json_t *facts) {
    size_t k, n;
    json_t *lab, *fix;
    json_array_foreach(json_object_get(facts, "labs"), k, lab) {
        const json_t *fixes = json_object_get(lab, "fixes");
        if (!fixes) continue;
        printf("%s: edits would fix %lld of the %lld submissions with less than full credit", text_of(lab, "id"),
               (long long)json_integer_value(json_object_get(fixes, "mended")),
               (long long)json_integer_value(json_object_get(fixes, "searched")));
        json_array_foreach(json_object_get(fixes, "edits"), n, fix)
            printf("%s %lld %s", n ? "," : ":", (long long)json_integer_value(json_object_get(fix, "students")),
                   text_of(fix, "cause"));
        putchar('\n');
    }
}
static const struct form {
    const char *file;
    void (*write)(const json_t *facts, FILE *out);
    const char *worksheet; /* LMS export to fill in, if the class has one */
} forms[] = {{"class.json", facts_json},
             {"gradebook.csv", own_csv},
             {"gradebook-canvas.csv", canvas_csv, "worksheets/canvas.csv"},
             {"gradebook-gradescope.csv", gradescope_csv},
             {"fixes.csv", class_fixes_csv},
             {"attention.txt", class_attention},
             {"class.html", class_page}};

static bool write_form(const struct form *form, const json_t *facts, const char *out) {
    char path[PATH_MAX], *text = NULL;
    size_t length = 0;
    snprintf(path, sizeof path, "%s/%s", out, form->worksheet ? form->worksheet : "");
    if (form->worksheet && !access(path, F_OK)) return true;
    FILE *f = open_memstream(&text, &length);
    snprintf(path, sizeof path, "%s/%s", out, form->file);
    if (f) form->write(facts, f);
    const bool ok = f && fclose(f) == 0 && file_replace(path, text, length, 0600);
    free(text);
    return ok;
}
static size_t count_of(const json_t *facts, enum class_mark mark) {
    size_t k, n = 0;
    json_t *lab;
    json_array_foreach(json_object_get(facts, "labs"), k, lab) n += class_mark_count(lab, mark);
    return n;
}
int class_report(const struct class_options *o, const struct class_place *place) {
    char path[PATH_MAX], message[600] = "";
    snprintf(path, sizeof path, "%s/roster.json", o->out);
    json_t *roster = json_load_file(path, 0, NULL);
    if (!roster) return status_saying(EXIT_USAGE, "class", "cannot read %s: run `grade class import` first", path);
    json_t *facts = class_facts(o->out, roster, place, message, sizeof message);
    if (!facts) return json_decref(roster), status_saying(EXIT_USAGE, "class", "%s", message);
    bool ok = class_reports(o->out, facts);
    for (unsigned k = 0; ok && k < sizeof forms / sizeof *forms; k++) ok = write_form(&forms[k], facts, o->out);
    ok = ok && worksheets_fill(o->out, facts, roster, stdout, message, sizeof message);
    json_decref(roster);
    const size_t left = count_of(facts, MARK_SETUP) + count_of(facts, MARK_UNGRADED),
                 refused = count_of(facts, MARK_REFUSED),
                 graded = count_of(facts, MARK_FULL) + count_of(facts, MARK_PARTIAL) + count_of(facts, MARK_BUILD);
    if (ok) say_fixes(facts);
    json_decref(facts);
    if (!ok) return status_saying(EXIT_SETUP, "class", "cannot write %s: %s", o->out, strerror(errno));
    printf("%zu graded", graded);
    if (refused) printf(", %zu without a file that can be graded", refused);
    printf(": %s/gradebook.csv, class.html, attention.txt\n", o->out);
    fflush(stdout); /* so that these lines precede the error in a file that receives both streams */
    if (left)
        return status_saying(EXIT_SETUP, "class",
                             "not graded: %zu; see %s/attention.txt, then run make gradebook again", left, o->out);
    return EXIT_FULL;
}
