/* Technical terms and the labs that introduce them (terms.def). Texts for students use a technical term only if the lab
 * has taught it, and plain words otherwise. */
#ifndef RECORD_TERMS_H
#define RECORD_TERMS_H

#include <stdbool.h>

enum { TERMS_ALL = 255 }; /* larger than the number of any lab in the table */
/* Returns the number of the last lab whose terms have been taught: 3 for "lab3", and TERMS_ALL for a name of another
 * form, such as "lab3b". */
unsigned terms_taught(const char *lab_id);

struct term {
    const char *word;
    unsigned lab;
    const char *code; /* code that also introduces the term; NULL if there is none */
};
extern const struct term terms[]; /* terminated by a NULL word */
/* Returns the first word of the text that begins with the term, in upper or lower case, or NULL. */
const char *term_in(const struct term *t, const char *text);
/* Returns whether labs up to `taught` have taught all terms in the text. */
bool terms_known(unsigned taught, const char *text);
/* Returns whether all terms in a text about a submission are known. A term is also known if the submission's text
 * contains its `code`. */
bool terms_known_of(unsigned taught, const char *text, const char *submission);
/* Returns `text` if all its terms are known, otherwise `plain`. */
const char *terms_choose(unsigned taught, const char *text, const char *plain);

#endif
