/* A course's secret, from which the seeds are derived. A student who does not know the secret cannot predict the data,
 * and the same file always gets the same seed in a lab. */
#ifndef COURSE_SECRET_H
#define COURSE_SECRET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SECRET_LEAST = 8, SECRET_MAX = 200 };
struct secret {
    char text[SECRET_MAX + 1]; /* "" if there is no secret */
};
/* Reads the secret from the variable GRADE_SECRET, or from the first line of the file that GRADE_SECRET_FILE names.
 * The secret has SECRET_LEAST to SECRET_MAX bytes. Erases both variables from the environment of this process, so
 * that no child process can read them. On failure, returns false with a message. */
bool secret_take(struct secret *s, char *message, size_t size);
/* Derives the seed, less than 10^9, for grading the file `submission` in a lab. */
uint64_t secret_seed(const struct secret *s, const char *lab, const char *submission);
/* Derives a number from a lab and a student's id. It selects the block size that the prediction questions use. */
uint64_t secret_of_student(const struct secret *s, const char *lab, const char *student);
void secret_forget(struct secret *s);

#endif
