/* Wraps NVIDIA's run-time compiler (NVRTC), a library, as a command of this program:
 *
 *   grade --nvrtc LIBRARY OPTION... FILE -o PTX
 *
 * The command compiles FILE and prints the compiler's messages. The PTX is the same as from nvcc's device pass, but no
 * host headers are read and no host code is accepted. The exit status is 0 on success, 1 if the file is rejected, and
 * 127 if the library fails. With --nvrtc-waits, the program first compiles an empty kernel, to pay the library's
 * one-time cost, and then waits for a byte on standard input. FILE need not exist before that. At end of input, the
 * program exits. */
#ifndef JUDGE_NVRTC_H
#define JUDGE_NVRTC_H

#include <limits.h>
#include <stdbool.h>

#define NVRTC_WORD "--nvrtc"
#define NVRTC_WAITS "--nvrtc-waits"
bool nvrtc_called(int argc, char **argv); /* whether main() must pass these words to nvrtc_main() */
int nvrtc_main(int argc, char **argv);
#define NVRTC_QUICK "-Ofc=max" /* minimal optimization; omitted if the library is too old for it */

/* Returns the library's path, with links resolved; free() it. NULL if there is none. If the environment variable NVRTC
 * names a folder, only that folder is searched; if it is "none", there is no library. Otherwise the order is: the
 * toolkits of CUDA_HOME, CUDA_PATH, the nvcc in PATH, and /usr/local/cuda*; the folders of the dynamic loader;
 * build/nvrtc of this kit; Python packages. */
char *nvrtc_library(void);
/* Gets the path of a file with this program (base/program.h), or of `grade` in the folder of a test program. Returns
 * false if there is none. */
bool nvrtc_program(char out[PATH_MAX]);
/* Gets the folders of the CUDA headers that belong to a library, and returns their number, at most NVRTC_INCLUDES. */
enum { NVRTC_INCLUDES = 3 };
unsigned nvrtc_includes(const char *library, char out[NVRTC_INCLUDES][PATH_MAX]);

#endif
