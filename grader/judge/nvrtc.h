/* NVIDIA's run-time compiler (NVRTC), a library, as a program like the others: this one again.
 *
 *   grade --nvrtc LIBRARY OPTION... FILE -o PTX
 *
 * compiles FILE, and prints what the compiler says. It makes the PTX of nvcc's device pass, but reads no header of the
 * host's and takes no host code. It ends with 0; with 1 where it refuses the file; with 127 where the library fails.
 * With --nvrtc-waits it first compiles nothing, so that the library has done what it does once, and waits for a byte on
 * standard input: FILE need not be there before. Where none comes, it ends. */
#ifndef JUDGE_NVRTC_H
#define JUDGE_NVRTC_H

#include <limits.h>
#include <stdbool.h>

#define NVRTC_WORD "--nvrtc"
#define NVRTC_WAITS "--nvrtc-waits"
bool nvrtc_called(int argc, char **argv); /* main() hands these words to nvrtc_main() */
int nvrtc_main(int argc, char **argv);
#define NVRTC_QUICK "-Ofc=max" /* hardly optimized; left out where the library is too old to know it */

/* The library's path, free of links; NULL: there is none. free() it. Where the variable NVRTC names a folder, it is
 * looked for there alone ("none": nowhere); else in this order: in the toolkit of CUDA_HOME, CUDA_PATH, of the nvcc in
 * PATH, of /usr/local/cuda*; in the dynamic loader's folders; in build/nvrtc of this kit; where Python keeps packages.
 */
char *nvrtc_library(void);
/* This program, or the `grade` beside it; false: it has no name. */
bool nvrtc_program(char out[PATH_MAX]);
/* The folders with the CUDA headers that belong to a library; how many, at most NVRTC_INCLUDES. */
enum { NVRTC_INCLUDES = 3 };
unsigned nvrtc_includes(const char *library, char out[NVRTC_INCLUDES][PATH_MAX]);

#endif
