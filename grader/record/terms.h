/* Technical terms and the labs that introduce them (terms.def). Texts for students use a technical term only if the lab
 * has taught it, and plain words otherwise. */
#ifndef RECORD_TERMS_H
#define RECORD_TERMS_H

#include <stdbool.h>

/* The last lab whose terms have been taught. TERMS_ALL is larger than the number of any lab in the table, so all terms
 * are known. */
enum { TERMS_ALL = 255 };
unsigned terms_taught(const char *lab_id); /* "lab3" gives 3; any other name gives TERMS_ALL */

struct term {
    const char *word;
    unsigned lab;
    const char *code; /* code that also introduces the term; NULL if there is none */
};
extern const struct term terms[]; /* terminated by a NULL word */
/* Finds the term at the beginning of a word in the text. Returns NULL if there is none. */
const char *term_in(const struct term *t, const char *text);
/* Returns whether labs up to `taught` have taught all terms in the text. */
bool terms_known(unsigned taught, const char *text);
/* Returns whether all terms in a text about a submission are known. Terms that occur in the submission's code are
 * known. */
bool terms_known_of(unsigned taught, const char *text, const char *submission);
/* Returns `text` if all its terms are known, otherwise `plain`. */
const char *terms_choose(unsigned taught, const char *text, const char *plain);

#endif
