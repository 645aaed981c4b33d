/* Calls of the CUDA runtime that are not supported. Each ends the program with a message that names the call. This
 * file includes no CUDA header, because its functions do not have the signatures declared there. */
#include <stddef.h>
_Noreturn void cudart_missing(const char *call, const char *about);
#define CALL(name)
#define SAME(name, call) /* an alias that the linker defines (exec.mk) */
#define MISSING(name, what)                                                                                            \
    void name(void);                                                                                                   \
    void name(void) { cudart_missing(#name, what); }
#include "exec/calls.def"
