/* The words that a lab has taught. One table (terms.def) has the technical terms and the labs that introduce them;
 * whoever writes a text for a student chooses by it between the field's words and plain ones. */
#ifndef RECORD_TERMS_H
#define RECORD_TERMS_H

#include <stdbool.h>

/* What has been taught, as the number of a lab; a lab that is numbered past the table knows all terms. */
enum { TERMS_ALL = 255 };
unsigned terms_taught(const char *lab_id); /* "lab3": 3; another name: TERMS_ALL */

struct term {
    const char *word;
    unsigned lab;
    const char *code; /* NULL: none */
};
extern const struct term terms[]; /* up to a word of NULL */
/* Where the term is in the text, as the beginning of a word; NULL: nowhere. */
const char *term_in(const struct term *t, const char *text);
/* Are all terms of the text taught, up to the lab of that number? */
bool terms_known(unsigned taught, const char *text);
/* The same of a text about a submission: what is in its code is known. */
bool terms_known_of(unsigned taught, const char *text, const char *submission);
/* `text` if all its terms are known, else `plain`. */
const char *terms_choose(unsigned taught, const char *text, const char *plain);

#endif
