/* Calls of CUDA's that there are not: each ends the program with a word on which it was. No header of CUDA's is
 * included, whose declarations these do not keep. */
#define CUDART_NO_HEADER
_Noreturn void cudart_missing(const char *call);
#define CALL(name)
#define MISSING(name, what)                                                                                            \
    void name(void);                                                                                                   \
    void name(void) { cudart_missing(#name); }
#include "exec/calls.def"
