/* A student's reduce.cu becomes PTX: all variants (operator x type) in one run of the compiler, each in a namespace of
 * its own. */
#ifndef JUDGE_COMPILE_H
#define JUDGE_COMPILE_H

#include "judge/compiler.h"
#include "reference.h"

enum compile_status { COMPILE_OK, COMPILE_SUBMISSION /* does not compile, or is no proper file */, COMPILE_SETUP };
struct compile_request {
    const char *source;          /* path of the .cu file */
    const char *shown;           /* the name that messages use for it */
    const char *root;            /* the kit's folder: common/ is in it */
    const char *cache;           /* folder for PTX; made if missing */
    uint32_t variants;           /* bit (1 << variant_index) */
    uint32_t needed;             /* those of them that do, where the cache has not all; 0: all */
    bool solution;               /* with -DSOLUTION */
    const char *own;             /* text of an operator of the student's own, for the variant `own` alone; or NULL */
    const char *own_shown;       /* the name that messages use for it */
    bool sandbox;                /* the compiler sees the file, common/ and the system alone */
    const char *text;            /* what is compiled instead of the file `source`; or NULL */
    bool once;                   /* text: compiled once, and not cached */
    bool quick;                  /* it is hardly optimized, which takes a third of the time */
    struct compile_ahead *ahead; /* a compiler that waits for it; or NULL */
};
/* One PTX text, or one a variant where the file cannot be compiled with all in one. The submission's file is called
 * "reduce.cu" in it, whatever its path. */
struct compiled {
    enum compile_status status;
    char *ptx[VARIANT_COUNT];
    size_t length[VARIANT_COUNT];
    unsigned of_variant[VARIANT_COUNT]; /* index into ptx */
    unsigned count;
    char *source_text; /* the file as compiled */
    char *log;         /* what the compiler says, as in diagnostics.h: its warnings; else its messages, or why not */
    char variant[32];  /* the one variant that failed, "" for all */
    bool stopped;      /* the compiler ran into a limit */
    struct compiler by;
};
struct compiled compile(const struct compiler *c, const struct compile_request *r);
void compiled_free(struct compiled *c);
/* Starts the compiler before there is a file: compile() needs it no more if it is asked for the same (all but `source`,
 * `shown`, `variants` and `needed`). NULL: this compiler cannot wait, or did not start. A file that is in the cache, or
 * does not compile as it is, does not use it, or not alone. */
struct compile_ahead *compile_start(const struct compiler *c, const struct compile_request *r);
void compile_ahead_free(struct compile_ahead *a); /* and ends it; NULL: nothing is done */
/* PTX name of kernel (or variable) `name` of a variant in a PTX text; false if it is not there. */
bool compiled_symbol(const char *ptx, struct variant v, const char *name, char *out, size_t size);

/* The name of the operator's file in PTX. */
#define COMPILE_OWN "operator.h"

/* For tests: the translation unit that is handed to the compiler; free() it. */
char *compile_wrapper(const char *source_text, uint32_t variants);

#endif
