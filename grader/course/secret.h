/* A course's secret, from which the seeds of grades are derived. A student who does not know it cannot predict the
 * data of a grade, and grading the same file again gives the same record. */
#ifndef COURSE_SECRET_H
#define COURSE_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SECRET_LEAST = 8, SECRET_MOST = 200 };
struct secret {
    char text[SECRET_MOST + 1]; /* "" for none */
};
/* Takes the secret from the variable GRADE_SECRET, or from the file that GRADE_SECRET_FILE names: its first line, 8 to
 * 200 bytes. Erases both variables from this process's environment, so that no child process or compiler can read them.
 * On failure returns false with a message. */
bool secret_take(struct secret *s, char *message, size_t size);
/* Derives the seed for grading the file `submission` in a lab. It is less than 10^9. */
uint64_t secret_seed(const struct secret *s, const char *lab, const char *submission);
/* Derives a number from the lab and a student's id. It selects the block size that the predictions ask about. */
uint64_t secret_of_student(const struct secret *s, const char *lab, const char *student);
void secret_forget(struct secret *s);

#endif
