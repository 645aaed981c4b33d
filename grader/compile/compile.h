/* Compiles a student's reduce.cu to PTX. One run of the compiler, or two parallel ones, compile all variants (operator
 * x type), each in a separate namespace. */
#ifndef COMPILE_COMPILE_H
#define COMPILE_COMPILE_H

#include "compile/compiler.h"
#include "reference.h"

enum compile_status { COMPILE_OK, COMPILE_SUBMISSION /* the file is invalid or does not compile */, COMPILE_SETUP };
struct compile_request {
    const char *source;    /* path of the .cu file */
    const char *shown;     /* its name in messages */
    const char *root;      /* the kit's folder, which contains common/ */
    const char *cache;     /* folder of cached PTX; created if missing */
    uint32_t variants;     /* set of variants: bits 1 << variant_index */
    uint32_t needed;       /* the variants to compile if not all are cached; 0 for all */
    bool solution;         /* whether to compile with -DSOLUTION */
    const char *own;       /* text of a student's own operator, which only the variant `own` includes; NULL if none */
    const char *own_shown; /* its name in messages */
    bool sandbox;     /* whether to run the compiler in a sandbox that contains only the file, common/ and the system */
    const char *text; /* text to compile instead of the file `source`; NULL to compile the file */
    bool once;        /* whether `text` is compiled only once and therefore not cached */
    bool quick;       /* whether to compile with minimal optimization, which is faster */
    struct compile_ahead *ahead; /* a compiler that compile_start() started for this request; NULL if there is none */
};
/* The result. `ptx` holds one text for all variants, or one for each half of the variants. If the file does not compile
 * for all variants together, `ptx` holds one text for each variant. In the PTX, the submission is always called
 * "reduce.cu". */
struct compiled {
    enum compile_status status;
    char *ptx[VARIANT_COUNT];
    size_t length[VARIANT_COUNT];
    unsigned of_variant[VARIANT_COUNT]; /* index into ptx[] for each variant */
    unsigned count;
    char *source_text; /* text of the file that was compiled */
    char *log;         /* the compiler's messages (diagnostics.h): warnings or, on failure, errors or the reason */
    char variant[32];  /* the variant that failed; "" if the first one failed, as then probably all fail */
    bool stopped;      /* whether the compiler exceeded a limit */
    struct compiler by;
};
struct compiled compile(const struct compiler *c, const struct compile_request *r);
void compiled_free(struct compiled *c);
/* Starts the compiler before the file exists. A later compile() uses this compiler if its request differs from *r at
 * most in `source`, `shown`, `variants` and `needed`. If the file is cached, compile() does not use it. If the first
 * compilation fails, compile() starts other compilers. Returns NULL if this compiler cannot wait for a file or does not
 * start. */
struct compile_ahead *compile_start(const struct compiler *c, const struct compile_request *r);
void compile_ahead_free(struct compile_ahead *a); /* also ends the waiting compiler; `a` may be NULL */
/* Finds the PTX name of the kernel `name` in a variant. Returns false if there is none. */
bool compiled_symbol(const char *ptx, struct variant v, const char *name, char *out, size_t size);

/* Name of the own operator's file in PTX. */
#define COMPILE_OWN "operator.h"

/* For tests: compile_wrapper() returns the translation unit that the compiler reads; free() it. compile_clear_hashes()
 * overwrites with zeros the hashes in which the outputs of two equal runs of nvcc differ. */
char *compile_wrapper(const char *source_text, uint32_t variants);
void compile_clear_hashes(char *ptx);

#endif
