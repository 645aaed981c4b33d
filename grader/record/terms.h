/* The terms that a lab has taught. One table (terms.def) lists the technical terms and the labs that introduce them;
 * texts for students choose by it between the technical term and plain words. */
#ifndef RECORD_TERMS_H
#define RECORD_TERMS_H

#include <stdbool.h>

/* The lab up to which terms have been taught. A lab past the table's last one knows all terms. */
enum { TERMS_ALL = 255 };
unsigned terms_taught(const char *lab_id); /* "lab3" gives 3; any other name gives TERMS_ALL */

struct term {
    const char *word;
    unsigned lab;
    const char *code; /* NULL: none */
};
extern const struct term terms[]; /* terminated by a NULL word */
/* Finds the term in the text, at the beginning of a word; NULL if absent. */
const char *term_in(const struct term *t, const char *text);
/* Whether labs up to `taught` have taught all terms in the text. */
bool terms_known(unsigned taught, const char *text);
/* Whether all terms in a text about a submission are known. Terms that occur in its code count as known. */
bool terms_known_of(unsigned taught, const char *text, const char *submission);
/* `text` if all its terms are known, else `plain`. */
const char *terms_choose(unsigned taught, const char *text, const char *plain);

#endif
