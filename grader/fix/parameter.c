/* Some edits change a value in a function that several kernels call, although the value must differ between the
 * kernels. Replaces such an edit with one that makes the value a parameter of the function. */
#include "fix/names.h"
#include <stdlib.h>
#include <string.h>

/* Returns whether the text means the same in each function: it has only numbers, operators, blockDim.x and
 * gridDim.x. */
static bool is_of_launch(const char *text) {
    for (const char *c = text; *c;) {
        size_t n = 0;
        while (is_word(c[n]) || c[n] == '.') n++;
        const bool known = (n == 10 && !strncmp(c, "blockDim.x", n)) || (n == 9 && !strncmp(c, "gridDim.x", n)) ||
                           strspn(c, "0123456789") >= n;
        if (n ? !known : !strchr(" +-*/()", *c)) return false;
        c += n ? n : 1;
    }
    return *text;
}
/* Returns the function that contains the token, or -1. */
static int32_t function_of(const struct source *s, int32_t token) {
    return s->token[token].statement < 0 ? -1 : s->statement[s->token[token].statement].function;
}
bool edit_as_parameter(struct edit_list *out, const struct edit *e, const char *kernel) {
    const struct source *s = out->source;
    const struct function *f = e->function < 0 ? NULL : &s->function[e->function];
    char was[EXPRESSION_SIZE], texts[EDIT_PARTS][EXPRESSION_SIZE + 16];
    struct edit_part parts[EDIT_PARTS];
    unsigned count = 2, others = 0;
    if (!f || f->is_kernel || e->parts != 1 || e->part->removed >= sizeof was) return false;
    snprintf(was, sizeof was, "%.*s", (int)e->part->removed, s->text + e->part->at);
    if (strlen(e->part->text) >= EXPRESSION_SIZE || !is_of_launch(was) || !is_of_launch(e->part->text)) return false;
    const struct range p = f->parameters;
    const bool alone = range_is_empty(p);
    snprintf(texts[0], sizeof texts[0], "%sunsigned chosen", alone ? "" : ", ");
    parts[0] = (struct edit_part){alone ? s->token[p.first].at : source_end(s, p), 0, texts[0]};
    parts[1] = (struct edit_part){e->part->at, e->part->removed, (char *)"chosen"};
    for (int32_t k = s->statement[f->body].all.last; k + 1 < s->tokens; k++) {
        const int32_t caller = source_same(s, k, f->name.first) && source_is(s, k + 1, "(") ? function_of(s, k) : -1;
        if (caller < 0) continue;
        if (count == EDIT_PARTS || !s->function[caller].is_kernel) return false;
        const bool own = source_is(s, s->function[caller].name.first, kernel);
        const int32_t close = s->token[k + 1].match;
        others += !own;
        snprintf(texts[count], sizeof texts[count], "%s%s", close == k + 2 ? "" : ", ", own ? e->part->text : was);
        parts[count] = (struct edit_part){s->token[close].at, 0, texts[count]}, count++;
    }
    const unsigned before = out->count;
    if (others) edit_add(out, FIX_ONE_FOR_ALL, e->cost, e->quoted, parts, count);
    return out->count > before;
}
