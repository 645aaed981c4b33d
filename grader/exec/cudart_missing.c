/* Unsupported calls of the CUDA runtime. Each ends the program with a message that names the call. This file includes
 * no CUDA header, because its signatures do not match the declarations there. */
#define CUDART_NO_HEADER
_Noreturn void cudart_missing(const char *call);
#define CALL(name)
#define MISSING(name, what)                                                                                            \
    void name(void);                                                                                                   \
    void name(void) { cudart_missing(#name); }
#include "exec/calls.def"
