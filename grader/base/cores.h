/* The number of threads to start. */
#ifndef BASE_CORES_H
#define BASE_CORES_H

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

/* Returns the number of cores that this process may use, which a batch system may limit. The environment variable
 * GRADE_CORES overrides the number. `make gradebook` sets the variable, because it grades several submissions at a
 * time, and more threads than cores only slow each other down. */
static inline unsigned cores_allowed(void) {
    const char *share = getenv("GRADE_CORES");
    if (share && atoi(share) > 0) return (unsigned)atoi(share);
#ifdef __linux__
    cpu_set_t allowed;
    if (!sched_getaffinity(0, sizeof allowed, &allowed)) return (unsigned)CPU_COUNT(&allowed);
#endif
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : (unsigned)online;
}

#endif
