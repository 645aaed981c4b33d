/* Lists the commands and their tables of options. See describe.h. */
#include "describe.h"
#include "class/class.h"
#include "compile/compiler.h"
#include "device/device.h"
#include "exec/exec.h"
#include "ladder/ladder.h"
#include "model/gpus/gpu.h"
#include "options.h"
#include "run/run.h"
#include <ctype.h>
#include <string.h>

static const struct argp_option no_option_rows[] = {{0}};
void describe_commands(struct described out[DESCRIBED]) {
    const struct described all[DESCRIBED] = {
        {"", "LAB", "Grade a lab's reduce.cu. LAB is lab0, lab1, ..., a lab's folder, or all", options_rows()},
#define COMMAND(word, arguments, what, rows) {#word, arguments, what, rows},
#include "commands.def"
#undef COMMAND
    };
    memcpy(out, all, sizeof all);
}

/* Appends the words of a list, such as "auto sim cuda" for "auto, sim or cuda". */
static void add_words(const char *text, char *out, size_t size) {
    for (const char *s = text; *s;) {
        const size_t n = strcspn(s, " ,|"), had = strlen(out);
        if (n && !(n == 2 && !strncmp(s, "or", 2)))
            snprintf(out + had, size - had, "%s%.*s", had ? " " : "", (int)n, s);
        s += n + strspn(s + n, " ,|");
    }
}
void describe_values(const struct argp_option *row, char *out, size_t size) {
    const struct {
        const char *option, *words;
    } lists[] = {{"device", device_names},         {"compiler", "auto, " COMPILER_NAMES},
                 {"completions", DESCRIBE_SHELLS}, {"shape", CLASS_SHAPES},
                 {"arch", "75 80 86 89 90"},       {"hardware", "result ncu memcheck racecheck synccheck initcheck"}};
    static const char *const files[] = {"FILE", "DIR", "FOLDER"};
    *out = 0;
    for (unsigned k = 0; k < sizeof lists / sizeof *lists; k++)
        if (!strcmp(row->name, lists[k].option)) add_words(lists[k].words, out, size);
    for (unsigned k = 0; !strcmp(row->name, "gpu") && k < gpu_count; k++) add_words(gpu_rows[k]->name, out, size);
    for (unsigned k = 0; row->arg && k < sizeof files / sizeof *files; k++)
        if (!strcmp(row->arg, files[k])) snprintf(out, size, "FILE");
}
