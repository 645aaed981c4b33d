/* Finds the time at which a file was submitted. git runs in the sandbox, because a repository's configuration can make
 * it execute programs. */
#include "class/class.h"
#include "sandbox/process.h"
#include "sandbox/sandbox.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Finds the nearest folder above `path` that contains .git. Returns false if there is none. */
static bool repository(const char *path, char out[PATH_MAX]) {
    char git[PATH_MAX + 8];
    if (!realpath(path, out)) return false;
    for (char *slash; (slash = strrchr(out, '/')) && slash > out;) {
        *slash = 0;
        snprintf(git, sizeof git, "%s/.git", out);
        if (!access(git, F_OK)) return true;
    }
    return false;
}
/* The files whose repositories git could not read. */
static struct {
    unsigned count;
    char folder[PATH_MAX], why[200]; /* of the first file */
} unread;
static void note_unread(const char *folder, const char *why) {
    if (unread.count++) return;
    snprintf(unread.folder, sizeof unread.folder, "%s", folder);
    snprintf(unread.why, sizeof unread.why, "%.*s", (int)strcspn(why, "\n"), why);
}
void commit_tell(FILE *said) {
    if (unread.count)
        fprintf(
            said,
            "git could not read the repository of %u file%s; the modification time counts instead, which copying may "
            "have changed: %s: %s\n",
            unread.count, unread.count == 1 ? "" : "s", unread.folder, unread.why);
}
/* Returns the time of the file's last commit according to the committer's clock, or 0 if it has none or git could not
 * read the repository. */
static time_t commit_time(const char *path, bool trusted) {
    char folder[PATH_MAX], real[PATH_MAX];
    if (!repository(path, folder) || !realpath(path, real)) return 0;
    char *program = process_find("git");
    if (!program)
        return note_unread(folder, "git is not installed: run `sudo apt-get install git`, then import again"), 0;
    const char *const command[] = {program, "-c", "safe.directory=*",    "-C",           folder,
                                   "log",   "-1", "--no-show-signature", "--format=%ct", "--",
                                   real,    NULL};
    const struct sandbox box = {.compiler = true, .shown = {{folder, folder}}, .command = command};
    const struct process_limits limits = {
        .wall_seconds = 30, .cpu_seconds = 10, .memory_bytes = (size_t)1 << 30, .output_bytes = 1 << 12};
    char **words = trusted ? NULL : sandbox_words(&box);
    struct process_result r = {.end = PROCESS_NOT_STARTED};
    if (trusted || words) r = process_run(trusted ? command : (const char *const *)words, &limits);
    const bool ran = r.end == PROCESS_EXITED && !r.status && r.output;
    const long long at = ran ? atoll(r.output) : 0;
    if (!ran) note_unread(folder, r.output && *r.output ? r.output : "git failed without a message");
    sandbox_free(words);
    free(r.output);
    free(program);
    return at > 0 ? (time_t)at : 0;
}

json_t *file_time(time_t server, const char *path, bool trusted) {
    const char *of = "server";
    struct stat s;
    time_t at = server;
    if (!at && (at = commit_time(path, trusted))) of = "commit";
    if (!at && !stat(path, &s)) at = s.st_mtime, of = "file";
    return json_pack("{s:I, s:s}", "handed_in", (json_int_t)at, "time_of", of);
}
void submission_time(json_t *unit) {
    const json_t *source = json_object_get(unit, "time"), *predictions = json_object_get(unit, "predictions_time");
    const bool late =
                   json_is_true(json_object_get(source, "late")) || json_is_true(json_object_get(predictions, "late")),
               second = json_integer_value(json_object_get(predictions, "handed_in")) >
                        json_integer_value(json_object_get(source, "handed_in"));
    json_object_update(unit, (json_t *)(second ? predictions : source));
    if (late) json_object_set_new(unit, "late", json_true());
}
