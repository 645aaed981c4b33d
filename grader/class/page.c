/* Writes the HTML page of the class. It consists of a template (page.html), the style and the base script of the
 * report, the style and script of the class page, and the facts to show. */
#include "class/class.h"
#include "report/template.h"

/* The first file is the template. */
#define FILES(FILE)                                                                                                    \
    FILE(class_page_html, "grader/class/page.html")                                                                    \
    FILE(class_report_style, "grader/report/html/page.css")                                                            \
    FILE(class_style, "grader/class/class.css")                                                                        \
    FILE(class_report_base, "grader/report/html/base.js")                                                              \
    FILE(class_script, "grader/class/class.js")
FILES(TEMPLATE_FILE)
static const struct template_file files[] = {FILES(TEMPLATE_ROW)};

/* Copies only the members of students that the page shows. The page may be shared, so it omits mail addresses and ID
 * numbers, except one that serves as the student's id. */
static json_t *shown_students(const json_t *facts) {
    static const char *const members[] = {"id", "name", "labs", "total"};
    json_t *out = json_array(), *student;
    size_t k;
    json_array_foreach(json_object_get(facts, "students"), k, student) {
        json_t *one = json_object();
        for (unsigned n = 0; n < sizeof members / sizeof *members; n++)
            if (json_object_get(student, members[n]))
                json_object_set(one, members[n], json_object_get(student, members[n]));
        json_array_append_new(out, one);
    }
    return out;
}
static json_t *attention_kinds(void) {
    json_t *all = json_array();
    for (unsigned k = 0; attention_title(k); k++)
        json_array_append_new(all, json_pack("{s:s, s:s, s:s}", "what", attention_what(k), "title", attention_title(k),
                                             "remedy", attention_remedy(k)));
    return all;
}
void class_page(const json_t *facts, FILE *out) {
    json_t *shown = json_copy((json_t *)facts), *kinds = attention_kinds();
    json_object_set_new(shown, "students", shown_students(facts));
    const struct template_data data[] = {{"@data@", shown}, {"@attention@", kinds}};
    template_write(files, sizeof files / sizeof *files, data, sizeof data / sizeof *data, out);
    json_decref(shown);
    json_decref(kinds);
}
