#include "fix/simpler.h"
#include "fix/names.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t statement_at(const struct source *s, uint32_t byte) {
    const int32_t token = source_token_at(s, byte);
    return token < s->tokens ? s->token[token].statement : -1;
}
static bool is_plain(const struct source *s, struct range condition) {
    return !source_has(s, condition, "=") && !source_has(s, condition, "++") && !source_has(s, condition, "--");
}
/* If the edit moves the only statement of an if to after the if, as in `if (a) ; f();`, lets it replace the if. */
static unsigned without_if(const struct source *s, struct edit_part part[], unsigned count, char **text) {
    const int32_t self = count == 2 && !strcmp(part[0].text, ";") ? statement_at(s, part[0].at) : -1,
                  around = self < 0 ? -1 : s->statement[self].parent;
    if (around < 0 || s->statement[around].kind != STATEMENT_IF || s->statement[around].body != self) return count;
    const struct range all = s->statement[around].all, own = s->statement[self].all;
    const bool whole = part[0].at == source_begin(s, own) && part[0].removed == source_end(s, own) - part[0].at,
               behind = part[1].at == source_end(s, all) && !part[1].removed;
    if (!whole || !behind || own.last != all.last || !is_plain(s, s->statement[around].condition)) return count;
    *text = strdup(part[1].text + strspn(part[1].text, " \n"));
    part[0] = (struct edit_part){source_begin(s, all), source_end(s, all) - source_begin(s, all), *text};
    return 1;
}
/* If the edit makes a condition's operand of && equal to another one, lets it remove the operand. */
static void without_repetition(const struct source *s, struct edit_part *part, char **text) {
    const int32_t self = statement_at(s, part->at);
    if (self < 0 || !part->removed) return;
    const struct range c = s->statement[self].condition;
    if (range_is_empty(c) || part->at < source_begin(s, c) || part->at + part->removed > source_end(s, c)) return;
    int32_t token = c.first;
    while (token < c.last && s->token[token].at < part->at) token++;
    const struct range own = conjunct_of(s, c, token);
    if (source_has(s, c, "||") || (own.first == c.first && own.last == c.last)) return;
    const uint32_t begin = source_begin(s, own), end = source_end(s, own);
    if (part->at < begin || part->at + part->removed > end || strchr(s->text + begin, '(') < s->text + end) return;
    char *now;
    if (asprintf(&now, "%.*s%s%.*s", (int)(part->at - begin), s->text + begin, part->text,
                 (int)(end - part->at - part->removed), s->text + part->at + part->removed) < 0)
        return;
    for (int32_t k = c.first; k <= c.last; k++) {
        const struct range other = conjunct_of(s, c, k);
        const uint32_t from = source_begin(s, other), length = source_end(s, other) - from;
        k = other.last + 1;
        if (other.first == own.first || strlen(now) != length || memcmp(now, s->text + from, length) != 0) continue;
        const bool first = own.first == c.first;
        const uint32_t at = first ? begin : source_end(s, range_of(own.first - 2)),
                       to = first ? s->token[own.last + 2].at : end;
        *part = (struct edit_part){at, to - at, *text = strdup("")};
        break;
    }
    free(now);
}
/* If the edit puts a guard before the only statement of an if that is always true, because it compares the thread with
 * the size of the block, lets it replace the condition. */
static bool instead_of_guard(const struct source *s, struct range *quoted, struct edit_part *part, char **text) {
    const int32_t self = statement_at(s, part->at), around = self < 0 ? -1 : s->statement[self].parent;
    const uint32_t removed = part->removed;
    const size_t size = strlen(part->text), length = size - (removed < size ? removed : size);
    if (around < 0 || s->statement[around].kind != STATEMENT_IF || s->statement[around].body != self) return false;
    const struct range c = s->statement[around].condition;
    const struct range all = s->statement[self].all;
    const bool kept = !removed || (removed == source_end(s, all) - part->at &&
                                   !strncmp(part->text + length, s->text + part->at, removed)),
               inside = part->at == source_begin(s, all) && kept,
               guards = length > 6 && !strncmp(part->text, "if (", 4) && !strncmp(part->text + length - 2, ") ", 2);
    int32_t less = c.first;
    while (less < c.last && !source_is(s, less, "<")) less++;
    if (!inside || !guards || less == c.last || source_has(s, c, "&&") || source_has(s, c, "||")) return false;
    const struct range left = {c.first, less - 1}, right = {less + 1, c.last};
    const bool thread = left.first == left.last || source_is(s, left.first, "threadIdx"),
               block = source_is(s, right.first, "blockDim") && right.last == right.first + 2;
    if (!thread || !block || !depends_on_the_thread(s, left)) return false;
    *text = strndup(part->text + 4, length - 6);
    *part = edit_part_of(s, c, *text), *quoted = c;
    return true;
}
/* If the edit puts a guard before the only statement of an if that has the same condition, lets it leave out the guard.
 */
static void without_same_guard(const struct source *s, struct edit_part *part, char **text) {
    const int32_t self = statement_at(s, part->at), around = self < 0 ? -1 : s->statement[self].parent;
    if (around < 0 || s->statement[around].kind != STATEMENT_IF || s->statement[around].body != self) return;
    const struct range c = s->statement[around].condition;
    const uint32_t from = source_begin(s, c), length = source_end(s, c) - from;
    if (part->at != source_begin(s, s->statement[self].all) || strncmp(part->text, "if (", 4) != 0) return;
    const char *rest = part->text + 4 + length;
    if (strlen(part->text) < length + 6 || memcmp(part->text + 4, s->text + from, length) != 0) return;
    if (!strncmp(rest, ") ", 2)) part->text = *text = strdup(rest + 2);
}
/* If the edit puts a guard before the only statement of an if without else, lets it add the guard to the condition. */
static void joined_guard(const struct source *s, struct edit_part *part, char **text) {
    const int32_t self = statement_at(s, part->at), parent = self < 0 ? -1 : s->statement[self].parent;
    if (parent < 0) return;
    const struct range all = s->statement[self].all, block = s->statement[parent].all;
    const bool braces = s->statement[parent].kind == STATEMENT_BLOCK && block.first + 1 == all.first &&
                        all.last + 1 == block.last; /* around this statement alone */
    const int32_t body = braces ? parent : self, around = s->statement[body].parent;
    if (around < 0 || s->statement[around].kind != STATEMENT_IF || s->statement[around].body != body) return;
    const struct range c = s->statement[around].condition;
    const size_t own = source_end(s, all) - source_begin(s, all), size = strlen(part->text),
                 kept = part->removed ? own : 0;
    if (part->at != source_begin(s, all) || part->removed != kept) return;
    if (s->statement[body].all.last != s->statement[around].all.last) return; /* there is an else */
    if (size < kept + 6 || memcmp(part->text + size - kept, s->text + part->at, kept) != 0) return;
    const size_t guard = size - kept; /* `if (...) ` */
    if (strncmp(part->text, "if (", 4) != 0 || strncmp(part->text + guard - 2, ") ", 2) != 0) return;
    if (source_has(s, c, "||") || source_has(s, c, "?") || strcspn(part->text + 4, "|?;") < guard) return;
    if (asprintf(text, " && %.*s", (int)(guard - 6), part->text + 4) < 0) *text = NULL;
    if (*text) *part = (struct edit_part){source_end(s, c), 0, *text};
}
/* If the edit puts cluster.sync() next to __syncthreads(), lets it replace the weaker barrier. */
static void stronger_barrier(const struct source *s, struct edit_part *part, char **text) {
    if (part->removed || !strstr(part->text, ".sync();")) return;
    const int32_t token = source_token_at(s, part->at);
    for (int32_t k = token - 4; k <= token && token < s->tokens; k++) {
        if (k < 0 || !source_is(s, k, "__syncthreads") || !source_is(s, k + 3, ";")) continue;
        const char *word = part->text + strspn(part->text, " \n");
        *text = strndup(word, strcspn(word, ";") + 1);
        if (*text) *part = edit_part_of(s, (struct range){k, k + 3}, *text);
        return;
    }
}
unsigned edit_simpler(const struct source *s, enum fix_cause *cause, struct range *quoted,
                      struct edit_part part[EDIT_PARTS], unsigned count, char **text) {
    *text = NULL;
    if (count == 1 && instead_of_guard(s, quoted, part, text)) *cause = FIX_GUARD;
    if (count == 1 && !*text) without_same_guard(s, part, text);
    if (count == 1 && !*text) without_repetition(s, part, text);
    if (count == 1 && !*text) joined_guard(s, part, text);
    const bool behind = count == 2 && !part[0].removed && !*part[0].text; /* an edit without an opening brace */
    if ((count == 1 || behind) && !*text) stronger_barrier(s, part + behind, text);
    return without_if(s, part, count, text);
}
