/* Unsupported calls of the CUDA runtime: each ends the program with a message that names it. Includes no CUDA header,
 * because the signatures here do not match its declarations. */
#define CUDART_NO_HEADER
_Noreturn void cudart_missing(const char *call);
#define CALL(name)
#define MISSING(name, what)                                                                                            \
    void name(void);                                                                                                   \
    void name(void) { cudart_missing(#name); }
#include "exec/calls.def"
