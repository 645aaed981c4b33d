/* Compiles a student's reduce.cu to PTX: all variants (operator x type) in one run of the compiler, each in its own
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
    const char *root;            /* the kit's folder, which has common/ */
    const char *cache;           /* folder for PTX; created if missing */
    uint32_t variants;           /* bit (1 << variant_index) */
    uint32_t needed;             /* the variants needed, if not all are cached; 0: all */
    bool solution;               /* with -DSOLUTION */
    const char *own;             /* text of a student's own operator, for the variant `own` only; or NULL */
    const char *own_shown;       /* its name in messages */
    bool sandbox;                /* the compiler sees only the file, common/ and the system */
    const char *text;            /* text to compile instead of the file `source`; or NULL */
    bool once;                   /* `text` is compiled only once, so it is not cached */
    bool quick;                  /* compile with minimal optimization, which takes a third of the time */
    struct compile_ahead *ahead; /* a compiler that was started ahead for this request; or NULL */
};
/* One PTX text, or one per variant if the file cannot be compiled with all variants in one. The PTX calls the
 * submission's file "reduce.cu", whatever its path is. */
struct compiled {
    enum compile_status status;
    char *ptx[VARIANT_COUNT];
    size_t length[VARIANT_COUNT];
    unsigned of_variant[VARIANT_COUNT]; /* index into ptx */
    unsigned count;
    char *source_text; /* the file as compiled */
    char *log;         /* the compiler's messages, see diagnostics.h: warnings; on failure the errors, or the reason */
    char variant[32];  /* the variant that failed; "": all of them */
    bool stopped;      /* the compiler hit a limit */
    struct compiler by;
};
struct compiled compile(const struct compiler *c, const struct compile_request *r);
void compiled_free(struct compiled *c);
/* Starts the compiler before the file exists. compile() uses it if its request is the same, except for `source`,
 * `shown`, `variants` and `needed`. NULL: this compiler cannot wait, or did not start. compile() does not use it for a
 * file that is cached, and starts others for a file that does not compile at once. */
struct compile_ahead *compile_start(const struct compiler *c, const struct compile_request *r);
void compile_ahead_free(struct compile_ahead *a); /* also ends the compiler; NULL: does nothing */
/* The PTX name of kernel (or variable) `name` of a variant; false if it is missing. */
bool compiled_symbol(const char *ptx, struct variant v, const char *name, char *out, size_t size);

/* The operator's file name in PTX. */
#define COMPILE_OWN "operator.h"

/* For tests. compile_wrapper(): the translation unit that is passed to the compiler; free() it. compile_clear_hashes():
 * the change to PTX that makes two runs of nvcc equal. */
char *compile_wrapper(const char *source_text, uint32_t variants);
void compile_clear_hashes(char *ptx);

#endif
