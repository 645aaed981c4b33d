/* NVIDIA's run-time compiler (NVRTC), a library, wrapped as a program: this one.
 *
 *   grade --nvrtc LIBRARY OPTION... FILE -o PTX
 *
 * compiles FILE, and prints the compiler's messages. It generates the same PTX as nvcc's device pass, but reads no host
 * headers and accepts no host code. The exit status is 0; 1 if the file is rejected; 127 if the library fails. With
 * --nvrtc-waits it first compiles an empty file to absorb the library's one-time cost, and waits for a byte on standard
 * input: FILE need not exist before. At end of input it exits. */
#ifndef JUDGE_NVRTC_H
#define JUDGE_NVRTC_H

#include <limits.h>
#include <stdbool.h>

#define NVRTC_WORD "--nvrtc"
#define NVRTC_WAITS "--nvrtc-waits"
bool nvrtc_called(int argc, char **argv); /* main() passes these words to nvrtc_main() */
int nvrtc_main(int argc, char **argv);
#define NVRTC_QUICK "-Ofc=max" /* minimal optimization; omitted if the library is too old */

/* The library's path, with links resolved; NULL if there is none. free() it. If the variable NVRTC names a folder, only
   that is searched ("none": nothing); otherwise in this order: the toolkit of CUDA_HOME, CUDA_PATH, of the nvcc in
   PATH, of /usr/local/cuda*; the dynamic loader's folders; build/nvrtc of this kit; Python's packages. */
char *nvrtc_library(void);
/* This program, or `grade` in the same folder; false if it has no name. */
bool nvrtc_program(char out[PATH_MAX]);
/* The folders of CUDA headers that belong to a library; returns their number, at most NVRTC_INCLUDES. */
enum { NVRTC_INCLUDES = 3 };
unsigned nvrtc_includes(const char *library, char out[NVRTC_INCLUDES][PATH_MAX]);

#endif
