/* Tests that the figures of the reference are stored in the cache. A second grade must read them there and produce
 * the same record. */
/* run: plain, 5 s */
/* reads: labs solutions common */
#include "base/file.h"
#include "judge/judge.h"
#include "tests/files.h"
#include "tests/quick.h"
#include "tests/suite.h"

#include <check.h>
#include <dirent.h>
#include <nettle/sha2.h>
#include <unistd.h>

static char root[4096];
static const struct compiler *compiler;

static json_t *graded(const char *cache) {
    const struct judge_options o = {.lab = lab_find("lab3"),
                                    .device = device_find("sim"),
                                    .compiler = compiler,
                                    .root = root,
                                    .cache = cache,
                                    .submission = "solutions/lab3_shared_block/reduce.cu",
                                    .shown = "reduce.cu",
                                    .solution = true,
                                    .no_pictures = true,
                                    .predictions = "",
                                    .replay_options = "",
                                    .seed = 5,
                                    .only_size = UINT32_MAX};
    json_t *record = judge_grade(&o);
    ck_assert_str_ne(json_string_value(json_object_get(record, "end")), "setup");
    return record;
}
static const json_t *test_of(const json_t *record, const char *id) {
    size_t k;
    json_t *t, *found = NULL;
    json_array_foreach(json_object_get(record, "tests"), k,
                       t) if (!strcmp(json_string_value(json_object_get(t, "id")), id)) found = t;
    return found;
}
static double reference_cycles(const json_t *record) {
    return json_number_value(json_object_get(json_object_get(test_of(record, "speed"), "modeled"), "reference_cycles"));
}
static void put_digest(char *to, const char *data, size_t length) {
    struct sha256_ctx context;
    uint8_t digest[SHA256_DIGEST_SIZE];
    char text[2 * SHA256_DIGEST_SIZE + 1];
    sha256_init(&context), sha256_update(&context, length, (const uint8_t *)data);
    sha256_digest(&context, sizeof digest, digest);
    for (unsigned k = 0; k < sizeof digest; k++) sprintf(text + 2 * k, "%02x", digest[k]);
    memcpy(to, text, strlen(text));
}
/* Returns the number of cache entries that contain figures instead of PTX. If `to` is a number, it replaces each entry
 * that is a single number with as many digits. If `to` is "", removes all entries that are a single number. If `to` is
 * NULL, changes nothing. Adds the number of replaced or removed entries to *changed. */
static unsigned figures_in(const char *cache, const char *to, unsigned *changed) {
    unsigned count = 0;
    DIR *d = opendir(cache);
    for (struct dirent *e; d && (e = readdir(d));) {
        char path[4400];
        if (!strstr(e->d_name, ".ptx")) continue;
        snprintf(path, sizeof path, "%s/%s", cache, e->d_name);
        char *entry = read_file(path), *body = strchr(entry, '\n') + 1, *of_text = strstr(entry, "PTX ");
        if (!strstr(body, ".version")) {
            count++;
            const size_t length = strlen(body);
            const bool number = to && *body >= '0' && *body <= '9';
            if (number && !*to) unlink(path), (*changed)++;
            if (number && length == strlen(to)) {
                memcpy(body, to, length);
                put_digest(of_text + 4, body, length);
                write_file(path, entry, strlen(entry)), (*changed)++;
            }
        }
        free(entry);
    }
    if (d) closedir(d);
    return count;
}
START_TEST(second_grades_use_cached_figures) {
    char cache[FILE_TEMPORARY];
    unsigned changed = 0;
    ck_assert(file_temporary(cache));
    json_t *first = graded(cache);
    const unsigned kept = figures_in(cache, NULL, NULL);
    ck_assert_msg(kept >= 3, "%u entries", kept);
    json_t *second = graded(cache);
    ck_assert(json_equal(json_object_get(first, "tests"), json_object_get(second, "tests")));
    ck_assert_uint_eq(figures_in(cache, NULL, NULL), kept);
    char cycles[40],
        *text = json_dumps(json_object_get(json_object_get(test_of(first, "speed"), "modeled"), "reference_cycles"),
                           JSON_ENCODE_ANY);
    snprintf(cycles, sizeof cycles, "%s", text);
    cycles[0] = cycles[0] == '1' ? '2' : '1';
    figures_in(cache, cycles, &changed);
    ck_assert_msg(changed == 1, "%u figures like %s", changed, text);
    json_t *third = graded(cache);
    ck_assert_double_eq(reference_cycles(third), strtod(cycles, NULL));
    /* if some figures are missing, the reference is loaded to measure them */
    figures_in(cache, "", &changed);
    ck_assert_uint_eq(changed, 2);
    json_t *fourth = graded(cache);
    ck_assert(json_equal(json_object_get(first, "tests"), json_object_get(fourth, "tests")));
    free(text);
    json_decref(first), json_decref(second), json_decref(third), json_decref(fourth);
    file_remove_folder(cache);
}
END_TEST

int main(void) {
    char why[300];
    compiler = compiler_find(quick_compiler(), why, sizeof why);
    if (!compiler) return printf("SKIP check_figures: no CUDA compiler\n"), 0;
    if (!getcwd(root, sizeof root)) return 3;
    Suite *suite = suite_create("figures");
    TCase *tc = tcase_create("cache");
    tcase_set_timeout(tc, 120);
    tcase_add_test(tc, second_grades_use_cached_figures);
    suite_add_tcase(suite, tc);
    return suite_failures(suite) != 0;
}
