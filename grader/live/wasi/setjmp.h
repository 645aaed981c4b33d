/* WebAssembly lacks longjmp(). Instead, the module is terminated, and the page reports the termination. */
#ifndef LIVE_SETJMP_H
#define LIVE_SETJMP_H

typedef char jmp_buf[1];
#define setjmp(place) ((void)(place), 0)
#define longjmp(place, value) ((void)(place), (void)(value), __builtin_trap())

#endif
