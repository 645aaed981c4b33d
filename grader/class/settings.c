/* Writes the settings that all grades of the class share, among them the secret seed. */
#include "base/file.h"
#include "base/option.h"
#include "class/class.h"
#include "device/device.h"
#include "compile/compiler.h"
#include "record/status.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

bool settings_save(const char *out, const char *name, const json_t *value) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", out, name);
    char *text = json_dumps(value, JSON_INDENT(1) | JSON_SORT_KEYS);
    const bool ok = text && file_replace(path, text, strlen(text), 0600);
    free(text);
    return ok;
}
/* Returns the seed that the user gave, or "". */
static const char *given_seed(const struct class_options *o) {
    const char *seed = o->seed ? o->seed : getenv("SEED");
    return seed ? seed : "";
}
int settings_check(const struct class_options *o) {
    uint64_t seed;
    if (*given_seed(o) && !option_read(given_seed(o), &seed))
        return status_saying(EXIT_USAGE, "class", "the seed must be a whole number from 0 to 2^64-1, not `%s`",
                             given_seed(o));
    if (o->device && strcmp(o->device, "auto") != 0 && !device_find(o->device))
        return status_saying(EXIT_USAGE, "class", "the device must be one of %s, not `%s`", device_names, o->device);
    if (o->compiler && !compiler_known(o->compiler))
        return status_saying(EXIT_USAGE, "class", "the compiler must be auto, " COMPILER_NAMES ", not `%s`",
                             o->compiler);
    return 0;
}
int settings_write(const struct class_options *o) {
    char path[PATH_MAX], decimal[32];
    uint64_t seed = 0;
    snprintf(path, sizeof path, "%s/settings.json", o->out);
    json_t *old = json_load_file(path, 0, NULL);
    const char *text = *given_seed(o) ? given_seed(o) : text_of(old, "seed");
    const bool read = option_read(text, &seed);
    if (!read && !access(path, F_OK))
        return json_decref(old), status_saying(EXIT_SETUP, "class",
                                               "%s is damaged, so the class's seed is lost: add SEED=N, where N is the "
                                               "`seed` in any record of %s/records; or delete the file to draw a new "
                                               "seed, which regrades all submissions",
                                               path, o->out);
    if (!read && getrandom(&seed, sizeof seed, 0) != sizeof seed)
        return json_decref(old),
               status_saying(EXIT_SETUP, "class", "the system returns no random numbers for the seed");
    snprintf(decimal, sizeof decimal, "%llu", (unsigned long long)seed);
    json_t *new = json_pack("{s:s, s:s, s:s, s:b, s:b}", "seed", decimal, "device", o->device ? o->device : "sim",
                            "compiler", o->compiler ? o->compiler : "auto", "trusted", o->trusted, "fixes", o->fixes);
    json_decref(old);
    const bool ok = settings_save(o->out, "settings.json", new);
    json_decref(new);
    return ok ? 0 : status_saying(EXIT_SETUP, "class", "cannot write %s: %s", path, strerror(errno));
}
