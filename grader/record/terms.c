/* See terms.h. */
#include "record/terms.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct term terms[] = {
#define TERM(word, lab, code) {word, lab, code},
#include "record/terms.def"
#undef TERM
    {NULL, 0, NULL}};

unsigned terms_taught(const char *lab_id) {
    char *end;
    if (strncmp(lab_id, "lab", 3) != 0 || !isdigit((unsigned char)lab_id[3])) return TERMS_ALL;
    const unsigned long n = strtoul(lab_id + 3, &end, 10);
    return *end || n > TERMS_ALL ? TERMS_ALL : (unsigned)n;
}
static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }
const char *term_in(const struct term *t, const char *text) {
    const size_t length = strlen(t->word);
    for (const char *s = text; *s; s++)
        if ((s == text || !in_word(s[-1])) && !strncasecmp(s, t->word, length)) return s;
    return NULL;
}
bool terms_known(unsigned taught, const char *text) {
    for (const struct term *t = terms; t->word; t++)
        if (t->lab > taught && term_in(t, text)) return false;
    return true;
}
bool terms_known_of(unsigned taught, const char *text, const char *submission) {
    for (const struct term *t = terms; t->word; t++)
        if (t->lab > taught && term_in(t, text) && !(t->code && strstr(submission, t->code))) return false;
    return true;
}
const char *terms_choose(unsigned taught, const char *text, const char *plain) {
    return terms_known(taught, text) ? text : plain;
}
