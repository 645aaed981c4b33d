/* Validates JSON against the part of JSON Schema that the kit's schemas use. An unsupported keyword fails the test. A
 * schema that has `properties`, but neither `additionalProperties` nor `required`, allows no other fields. */
#ifndef TESTS_SCHEMA_H
#define TESTS_SCHEMA_H

#include <check.h>
#include <jansson.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>

/* The first violation, as "path: violation"; "" if there is none. */
struct state {
    const json_t *root;
    char wrong[300];
};
static void blame(struct state *s, const char *path, const char *what) {
    if (!s->wrong[0]) snprintf(s->wrong, sizeof s->wrong, "%.200s: %.80s", path, what);
}
static bool has_type(const json_t *v, const char *type) {
    static const struct {
        const char *name;
        json_type type, other;
    } rows[] = {{"object", JSON_OBJECT, JSON_OBJECT},    {"array", JSON_ARRAY, JSON_ARRAY},
                {"string", JSON_STRING, JSON_STRING},    {"boolean", JSON_TRUE, JSON_FALSE},
                {"integer", JSON_INTEGER, JSON_INTEGER}, {"number", JSON_REAL, JSON_INTEGER},
                {"null", JSON_NULL, JSON_NULL}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (!strcmp(rows[k].name, type)) return json_typeof(v) == rows[k].type || json_typeof(v) == rows[k].other;
    return false;
}
static void validate(struct state *s, const json_t *schema, const json_t *v, const char *path);

static void validate_fields(struct state *s, const json_t *schema, const json_t *v, const char *path) {
    const json_t *properties = json_object_get(schema, "properties"),
                 *rest = json_object_get(schema, "additionalProperties");
    const char *key;
    json_t *field;
    char below[200];
    json_object_foreach((json_t *)v, key, field) {
        const json_t *own = json_object_get(properties, key);
        snprintf(below, sizeof below, "%.120s.%.60s", path, key);
        if (own || rest) validate(s, own ? own : rest, field, below);
        if (!own && json_is_false(rest)) blame(s, below, "not allowed");
        if (!own && !rest && properties && !json_object_get(schema, "required")) blame(s, below, "not described");
    }
}
static void validate_keyword(struct state *s, const char *keyword, const json_t *rule, const json_t *v,
                             const char *path) {
    size_t k;
    json_t *item;
    bool found = false;
    char below[200];
    if (!strcmp(keyword, "type")) {
        found = json_is_string(rule) && has_type(v, json_string_value(rule));
        json_array_foreach(rule, k, item) found |= has_type(v, json_string_value(item));
        if (!found) blame(s, path, json_is_string(rule) ? json_string_value(rule) : "none of the types");
    } else if (!strcmp(keyword, "const")) {
        if (!json_equal(rule, v)) blame(s, path, "not the constant");
    } else if (!strcmp(keyword, "enum")) {
        json_array_foreach(rule, k, item) found |= json_equal(item, v);
        if (!found) blame(s, path, "none of the words");
    } else if (!strcmp(keyword, "minimum")) {
        if (json_number_value(v) < json_number_value(rule)) blame(s, path, "too small");
    } else if (!strcmp(keyword, "maximum")) {
        if (json_number_value(v) > json_number_value(rule)) blame(s, path, "too large");
    } else if (!strcmp(keyword, "required")) {
        json_array_foreach(rule, k, item) if (!json_object_get(v, json_string_value(item)))
            blame(s, path, json_string_value(item));
    } else if (!strcmp(keyword, "minItems")) {
        if ((json_int_t)json_array_size(v) < json_integer_value(rule)) blame(s, path, "too short");
    } else if (!strcmp(keyword, "maxItems")) {
        if ((json_int_t)json_array_size(v) > json_integer_value(rule)) blame(s, path, "too long");
    } else if (!strcmp(keyword, "items")) {
        json_array_foreach(v, k, item) snprintf(below, sizeof below, "%.120s[%zu]", path, k),
            validate(s, rule, item, below);
    } else if (!strcmp(keyword, "pattern") && json_is_string(v)) {
        regex_t r;
        if (regcomp(&r, json_string_value(rule), REG_EXTENDED | REG_NOSUB)) ck_abort_msg("invalid pattern at %s", path);
        if (regexec(&r, json_string_value(v), 0, NULL, 0)) blame(s, path, "does not match");
        regfree(&r);
    } else if (!strcmp(keyword, "$ref")) {
        const char *name = strrchr(json_string_value(rule), '/') + 1;
        const json_t *target = json_object_get(json_object_get(s->root, "$defs"), name);
        if (!target) ck_abort_msg("no $defs/%s", name);
        validate(s, target, v, path);
    } else if (strcmp(keyword, "pattern") != 0 && strcmp(keyword, "$schema") != 0 && strcmp(keyword, "title") != 0 &&
               strcmp(keyword, "description") != 0 && strcmp(keyword, "$defs") != 0 &&
               strcmp(keyword, "properties") != 0 && strcmp(keyword, "additionalProperties") != 0)
        ck_abort_msg("keyword %s is not checked here", keyword);
}
static void validate(struct state *s, const json_t *schema, const json_t *v, const char *path) {
    const char *keyword;
    json_t *rule;
    json_object_foreach((json_t *)schema, keyword, rule) validate_keyword(s, keyword, rule, v, path);
    if (json_is_object(v)) validate_fields(s, schema, v, path);
}

#endif
