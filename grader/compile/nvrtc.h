/* Runs NVIDIA's run-time compiler (NVRTC), which is a library, as a command of this program:
 *
 *   grade --nvrtc LIBRARY OPTION... FILE -o PTX
 *
 * The command compiles FILE and prints the compiler's messages. The PTX is the same as from nvcc's device pass, except
 * for register counts (registers.h). The compiler reads no host headers and accepts no host code. The exit status is 0
 * on success, 1 if the compiler rejects the file, and 127 after any other failure. With --nvrtc-waits, the program
 * first compiles an empty kernel to pay the library's one-time cost. It then waits for a byte on standard input. FILE
 * need not exist until this byte arrives. At the end of the input, the program exits. */
#ifndef COMPILE_NVRTC_H
#define COMPILE_NVRTC_H

#include <limits.h>
#include <stdbool.h>

#define NVRTC_WORD "--nvrtc"
#define NVRTC_WAITS "--nvrtc-waits"
bool nvrtc_called(int argc, char **argv); /* whether main() must pass these words to nvrtc_main() */
int nvrtc_main(int argc, char **argv);
#define NVRTC_QUICK "-Ofc=max" /* option for minimal optimization; omitted for older libraries, which lack it */

/* Returns the library's path with links resolved, or NULL if there is none; free() it. If the environment variable
 * NVRTC names a folder, searches only this folder, which contains the library or is that of `pip install --target`. If
 * NVRTC is "none", there is no library. Otherwise, searches the toolkits of CUDA_HOME, CUDA_PATH, the nvcc in PATH, and
 * /usr/local/cuda*; then the folders of the dynamic loader; then build/nvrtc and nvrtc in the program's folder, and
 * build/nvrtc in the folder that nvrtc_kit() set; then Python packages. */
char *nvrtc_library(void);
/* Sets the kit's folder (NULL: none, as at the start), for an installed command that works on a kit elsewhere. Keeps
 * the pointer. */
void nvrtc_kit(const char *folder);
/* Stores the path of this program's executable (base/program.h) or, in a test program, of `grade` in the same folder.
 * Returns false if there is none. */
bool nvrtc_program(char out[PATH_MAX]);
/* Stores the folders of the CUDA headers that belong to a library. Returns their number, at most NVRTC_INCLUDES. */
enum { NVRTC_INCLUDES = 3 };
unsigned nvrtc_includes(const char *library, char out[NVRTC_INCLUDES][PATH_MAX]);

#endif
