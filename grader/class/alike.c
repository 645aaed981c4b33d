/* Submissions with the same content, byte for byte or but for comments and blanks; and the reference as a submission.
 */
#include "base/hash.h"
#include "class/facts.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The text without comments and blanks; those inside of quotes stay. free() it. */
static char *bare(const char *s) {
    char *out = malloc(strlen(s) + 1), *end = out, quote = 0;
    while (out && *s) {
        if (!quote && s[0] == '/' && s[1] == '/')
            s += strcspn(s, "\n");
        else if (!quote && s[0] == '/' && s[1] == '*') {
            const char *close = strstr(s + 2, "*/");
            s = close ? close + 2 : s + strlen(s);
        } else {
            if (quote && *s == '\\' && s[1])
                *end++ = *s++;
            else if (quote ? *s == quote : *s == '"' || *s == '\'')
                quote = quote ? 0 : *s;
            if (quote && *s == '\n') quote = 0;
            if (quote || !isspace((unsigned char)*s)) *end++ = *s;
            s++;
        }
    }
    if (out) *end = 0;
    return out;
}
/* Two hashes of different bases, and the length: what stands for a text. */
static void print_of(const char *kind, const char *text, char out[80]) {
    const uint64_t a = hash_text(HASH_START, text), b = hash_text(UINT64_C(0x6c62272e07bb0142), text);
    snprintf(out, 80, "%s %016llx%016llx %zu", kind, (unsigned long long)a, (unsigned long long)b, strlen(text));
}
static bool same_bare(const char *bare_text, const char *other) {
    char *b = other ? bare(other) : NULL;
    const bool same = b && !strcmp(b, bare_text);
    free(b);
    return same;
}
static void file_under(json_t *prints, const char *print, const struct class_unit *u) {
    json_t *units = json_object_get(prints, print);
    if (!units) json_object_set_new(prints, print, units = json_array());
    json_array_append(units, json_array_get(u->students, 0));
}
void alike_add(struct class_lab *l, const struct class_unit *u) {
    char whole[80], rest[80];
    char *b = u->text ? bare(u->text) : NULL;
    if (b && !same_bare(b, l->skeleton)) {
        print_of("same", u->text, whole);
        print_of("alike", b, rest);
        file_under(l->prints, whole, u);
        file_under(l->prints, rest, u);
        char of[FOLDER_SIZE + 8];
        snprintf(of, sizeof of, "of %s", u->folder);
        json_object_set_new(l->prints, of, json_string(whole));
        if (same_bare(b, l->solution))
            attend(l->attention, ATTENTION_REFERENCE, l->lab->lab.id, json_array_get(u->students, 0), "");
    }
    free(b);
}
/* Of each group one line at each of its students, which names the others; those that are the same byte for byte are not
 * told again as alike. */
static void tell_group(struct class_lab *l, enum attention what, const json_t *group) {
    size_t k, n;
    json_t *student, *other;
    json_array_foreach(group, k, student) {
        char text[400] = "";
        json_array_foreach(group, n, other) {
            const size_t length = strlen(text);
            if (n == k || length > sizeof text - 80) continue;
            snprintf(text + length, sizeof text - length, "%s%.60s", length ? ", " : "as ", text_of(other, "id"));
        }
        if (json_array_size(group) > 8)
            snprintf(text + strlen(text), sizeof text - strlen(text), " (%zu in all)", json_array_size(group));
        attend(l->attention, what, l->lab->lab.id, student, text);
    }
}
void alike_end(struct class_lab *l) {
    const char *print;
    json_t *group;
    size_t same = 0, alike = 0;
    json_object_foreach(l->prints, print, group) {
        const bool whole = !strncmp(print, "same", 4);
        if (json_array_size(group) < 2) continue;
        *(whole ? &same : &alike) += 1;
        char of[FOLDER_SIZE + 8]; /* the first one's group that is the same byte for byte: all of these students? */
        snprintf(of, sizeof of, "of %s", text_of(json_array_get(group, 0), "folder"));
        const json_t *first = json_object_get(l->prints, text_of(l->prints, of));
        const bool told = !whole && json_array_size(first) == json_array_size(group);
        if (!told) tell_group(l, whole ? ATTENTION_SAME : ATTENTION_ALIKE, group);
    }
    json_object_set_new(l->out, "same_groups", json_integer((json_int_t)same));
    json_object_set_new(l->out, "alike_groups", json_integer((json_int_t)alike));
}
