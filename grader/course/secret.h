/* A course's secret, from which seeds of grades come: a student who does not know it cannot tell on which data a
 * submission will be graded, and grading the same file again gives the same record. */
#ifndef COURSE_SECRET_H
#define COURSE_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SECRET_LEAST = 8, SECRET_MOST = 200 };
struct secret {
    char text[SECRET_MOST + 1]; /* "" for none */
};
/* Takes the secret of the variable GRADE_SECRET, or of the file that GRADE_SECRET_FILE names: its first line, of 8 to
 * 200 bytes. Wipes both variables out of this process's environment, so that nothing it starts or compiles finds them.
 * false and a message where they cannot be taken. */
bool secret_take(struct secret *s, char *message, size_t size);
/* The seed, below 10^9, of a lab's grade of the file `submission`. */
uint64_t secret_seed(const struct secret *s, const char *lab, const char *submission);
/* A number of the lab and of a student's id: with it the M of the predictions are drawn. */
uint64_t secret_of_student(const struct secret *s, const char *lab, const char *student);
void secret_forget(struct secret *s);

#endif
