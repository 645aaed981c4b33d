// Queries the existence of files that it must not see.
#if __has_include("/etc/passwd")
#error "SEEN"
#endif
#if __has_include("/etc/shadow")
#error "SEEN"
#endif
#if __has_include("/etc/hostname")
#error "SEEN"
#endif
#if __has_include("/proc/self/environ")
#error "SEEN"
#endif
#if __has_include("/proc/self/exe")
#error "SEEN"
#endif
#if __has_include("/home")
#error "SEEN"
#endif
#if __has_include("/root/.bashrc")
#error "SEEN"
#endif
#if __has_include("/dev/zero")
#error "SEEN"
#endif
#if __has_include("/dev/random")
#error "SEEN"
#endif
#if __has_include("/sys/kernel")
#error "SEEN"
#endif
#if __has_include("/var/log")
#error "SEEN"
#endif
#if __has_include("/run/utmp")
#error "SEEN"
#endif
#if __has_include("../../solutions/lab1_interleaved_tree/reduce.cu")
#error "SEEN"
#endif
#if __has_include("../solutions/lab1_interleaved_tree/reduce.cu")
#error "SEEN"
#endif
#if __has_include("../../grader/judge/judge.h")
#error "SEEN"
#endif
#if __has_include("../../../labs/lab1_interleaved_tree/reduce.cu")
#error "SEEN"
#endif
#if __has_include("predictions.txt")
#error "SEEN"
#endif
#include "reduce.h"
__global__ void reduce(value_t *data, value_t *partial, unsigned n) {}
