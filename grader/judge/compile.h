/* Compiles a student's reduce.cu to PTX: all variants (operator x type) in one run of the compiler, each in a separate
 * namespace. */
#ifndef JUDGE_COMPILE_H
#define JUDGE_COMPILE_H

#include "judge/compiler.h"
#include "reference.h"

enum compile_status {
    COMPILE_OK,
    COMPILE_SUBMISSION /* COMPILE_SUBMISSION: the file does not compile, or is not valid */,
    COMPILE_SETUP
};
struct compile_request {
    const char *source;          /* path of the .cu file */
    const char *shown;           /* its name in messages */
    const char *root;            /* the kit's folder, which contains common/ */
    const char *cache;           /* folder of cached PTX; created if missing */
    uint32_t variants;           /* set of variants: bits 1 << variant_index */
    uint32_t needed;             /* the variants to compile if not all are cached; 0 for all */
    bool solution;               /* whether to compile with -DSOLUTION */
    const char *own;             /* text of a student's own operator, only for the variant `own`; or NULL */
    const char *own_shown;       /* its name in messages */
    bool sandbox;                /* run the compiler in a sandbox that shows only the file, common/ and the system */
    const char *text;            /* text to compile instead of the file `source`; or NULL */
    bool once;                   /* whether `text` is compiled only once, so that it is not cached */
    bool quick;                  /* compile with minimal optimization, which takes a third of the time */
    struct compile_ahead *ahead; /* a compiler that was started early for this request; or NULL */
};
/* The result: one PTX text, or one per variant if the file cannot be compiled with all variants together. The PTX calls
 * the submission's file "reduce.cu", whatever its path is. */
struct compiled {
    enum compile_status status;
    char *ptx[VARIANT_COUNT];
    size_t length[VARIANT_COUNT];
    unsigned of_variant[VARIANT_COUNT]; /* index into ptx, by variant */
    unsigned count;
    char *source_text; /* the text of the file as compiled */
    char *log;         /* the compiler's messages (diagnostics.h): warnings, or on failure the errors or the reason */
    char variant[32];  /* the variant that failed; "" if all failed */
    bool stopped;      /* the compiler hit a limit */
    struct compiler by;
};
struct compiled compile(const struct compiler *c, const struct compile_request *r);
void compiled_free(struct compiled *c);
/* Starts the compiler before the file exists. compile() uses this compiler if its request is the same, except for
 * `source`, `shown`, `variants` and `needed`. It does not use it for a file that is cached, and starts further
 * compilers for a file that does not compile at once. Returns NULL if this compiler cannot wait or did not start. */
struct compile_ahead *compile_start(const struct compiler *c, const struct compile_request *r);
void compile_ahead_free(struct compile_ahead *a); /* also ends the compiler; does nothing for NULL */
/* Gets the PTX name of the kernel (or variable) `name` of a variant. Returns false if it is missing. */
bool compiled_symbol(const char *ptx, struct variant v, const char *name, char *out, size_t size);

/* Name of the operator's file in PTX. */
#define COMPILE_OWN "operator.h"

/* For tests. compile_wrapper() returns the translation unit that the compiler gets; free() it. compile_clear_hashes()
 * changes PTX in such a way that two runs of nvcc give equal texts. */
char *compile_wrapper(const char *source_text, uint32_t variants);
void compile_clear_hashes(char *ptx);

#endif
