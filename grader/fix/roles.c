#include "fix/roles.h"
#include "fix/loops.h"
#include <string.h>

bool is_warp_size(const struct source *s, int32_t token) {
    const struct token *t = &s->token[token];
    if (source_is(s, token, "32") || source_is(s, token, "warpSize")) return true;
    if (t->kind != TOKEN_NAME) return false;
    for (int32_t k = 1; k + 2 < s->tokens;
         k++) /* also a constant's name: `const int WARP = 32;`, `enum { WARP = 32 };` */
        if (source_same(s, k, token) && source_is(s, k + 1, "=") && source_is(s, k + 2, "32")) return true;
    for (const char *line = s->text; (line = strstr(line, "#define ")); line++) {
        const char *name = line + 8 + strspn(line + 8, " \t"), *value = name + t->length;
        if (strncmp(name, s->text + t->at, t->length) != 0 || is_word(*value)) continue;
        value += strspn(value, " \t(");
        if (!strncmp(value, "32", 2) && !is_word(value[2])) return true;
    }
    return false;
}
/* Returns the roles that the range itself shows: it contains an atomic on a variable of the module, an index of a
 * thread or block, or a number of warps. */
static unsigned own_roles(const struct source *s, struct range r) {
    unsigned roles = 0;
    for (int32_t k = r.first; k <= r.last; k++) {
        if (source_is(s, k, "blockIdx")) roles |= ROLE_BLOCK;
        if (source_is(s, k, "threadIdx")) roles |= ROLE_THREAD;
        if (source_is_atomic(s, k) && source_is(s, k + 2, "&") && is_module_variable(s, k + 3)) roles |= ROLE_TICKET;
        const bool warps =
            (source_is(s, k, "/") && is_warp_size(s, k + 1)) || (source_is(s, k, ">>") && source_is(s, k + 1, "5"));
        if (warps && k >= 3 && source_is(s, k - 1, "x") && source_is(s, k - 3, "blockDim")) roles |= ROLE_SIZE;
    }
    return roles;
}
/* A name gets the roles of the values that are assigned to it. */
enum { ROUNDS = 4 };
static unsigned roles_of(const struct source *s, const struct known_roles *known, int32_t token) {
    for (unsigned k = 0; k < known->count; k++)
        if (source_same(s, known->name[k], token)) return known->roles[k];
    return 0;
}
static bool learn(const struct source *s, struct known_roles *known, int32_t token, unsigned roles) {
    if (!roles) return false;
    for (unsigned k = 0; k < known->count; k++)
        if (source_same(s, known->name[k], token)) {
            const unsigned before = known->roles[k];
            known->roles[k] |= roles;
            return known->roles[k] != before;
        }
    if (known->count == MAX_KNOWN) return false;
    known->name[known->count] = token, known->roles[known->count++] = roles;
    return true;
}
static unsigned roles_within(const struct source *s, const struct known_roles *known, struct range r) {
    unsigned roles = own_roles(s, r);
    for (int32_t k = r.first; k <= r.last; k++) {
        if (s->token[k].kind == TOKEN_NAME && !source_is(s, k - 1, ".")) roles |= roles_of(s, known, k);
        /* an array element is not a size, so its index does not count */
        if (source_is(s, k, "[")) k = s->token[k].match;
    }
    return roles;
}
/* Returns ROLE_SIZE if a call of the function passes a size for the parameter, otherwise 0. */
static unsigned size_of_arguments(const struct source *s, const struct function *f, int32_t parameter) {
    enum { MOST = 8 };
    struct range argument[MOST];
    unsigned number = 0, roles = 0;
    for (int32_t k = f->parameters.first; k < parameter; k++) number += source_is(s, k, ",");
    for (int32_t k = s->statement[f->body].all.last; k + 1 < s->tokens; k++)
        if (source_same(s, k, f->name.first) && s->token[k].statement >= 0 &&
            call_arguments(s, k, argument, MOST) > number && argument[number].first == argument[number].last)
            roles |= roles_in(s, argument[number]);
    return roles & ROLE_SIZE;
}
/* Assigns roles to integer parameters. Those of a kernel are sizes. Those of other functions are sizes if the function
 * has a read-only pointer, or if a caller passes a size, such as n. */
static void learn_parameters(const struct source *s, const struct function *f, struct known_roles *known) {
    bool pointer = f->is_kernel;
    for (int32_t k = f->parameters.first; k <= f->parameters.last; k++) pointer |= source_is(s, k, "const");
    for (int32_t k = f->parameters.first; k <= f->parameters.last; k++)
        if (is_integer_type(s, k) && s->token[k + 1].kind == TOKEN_NAME && !is_integer_type(s, k + 1))
            learn(s, known, k + 1, pointer ? ROLE_SIZE : size_of_arguments(s, f, k + 1));
}
static void learn_all(const struct source *s, int32_t function, struct known_roles *known) {
    const struct range body = body_of(s, function);
    bool more = true;
    *known = (struct known_roles){.is_learned = true};
    learn_parameters(s, &s->function[function], known);
    for (unsigned round = 0; round < ROUNDS && more; round++) {
        more = false;
        for (int32_t k = body.first; k < body.last; k++) {
            if (!is_set(s, k) || s->token[k + 1].length > 3 || source_is(s, k + 1, "++")) continue;
            int32_t end = k + 1;
            while (end < body.last && !source_is(s, end, ",") && !source_is(s, end, ";") && !source_is(s, end, ")"))
                end = s->token[end].match > end ? s->token[end].match + 1 : end + 1;
            const struct range value = {k + 2, end - 1};
            if (value.last >= value.first) more |= learn(s, known, k, roles_within(s, known, value));
        }
    }
}
unsigned roles_in(const struct source *s, struct range r) {
    const int32_t self = s->token[r.first].statement;
    if (self < 0) return own_roles(s, r);
    struct known_roles *known = &s->roles[s->statement[self].function];
    if (!known->is_learned) learn_all(s, s->statement[self].function, known);
    return roles_within(s, known, r);
}
