/* Writes the settings that all grades of the class share, among them the secret seed. */
#include "base/file.h"
#include "class/class.h"
#include "record/status.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

bool settings_save(const char *out, const char *name, const json_t *value) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", out, name);
    char *text = json_dumps(value, JSON_INDENT(1) | JSON_SORT_KEYS);
    const bool ok = text && file_replace(path, text, strlen(text), 0600);
    free(text);
    return ok;
}
int settings_write(const struct class_options *o) {
    char path[PATH_MAX], drawn[32], *end;
    uint64_t random = 0;
    snprintf(path, sizeof path, "%s/settings.json", o->out);
    json_t *old = json_load_file(path, 0, NULL);
    const char *seed = o->seed ? o->seed : getenv("SEED");
    if (!seed || !*seed) seed = text_of(old, "seed");
    if (!*seed) {
        if (getrandom(&random, sizeof random, 0) != sizeof random)
            return json_decref(old), status_saying(EXIT_SETUP, "class", "no random numbers");
        snprintf(drawn, sizeof drawn, "%llu", (unsigned long long)random);
        seed = drawn;
    }
    errno = 0;
    (void)strtoull(seed, &end, 10);
    const bool number = seed[0] >= '0' && seed[0] <= '9' && !*end && !errno;
    json_t *new =
        json_pack("{s:s, s:s, s:s, s:b, s:b}", "seed", number ? seed : "", "device", o->device ? o->device : "sim",
                  "compiler", o->compiler ? o->compiler : "auto", "trusted", o->trusted, "fixes", o->fixes);
    json_decref(old);
    const bool ok = number && settings_save(o->out, "settings.json", new);
    json_decref(new);
    if (!number) return status_saying(EXIT_USAGE, "class", "the seed must be a whole number from 0 to 2^64-1");
    return ok ? 0 : status_saying(EXIT_SETUP, "class", "cannot write %s: %s", path, strerror(errno));
}
