/* References that are compiled already: a handout has reduce.nvcc.ptx, of each compiler one, in place of a
 * solution's reduce.cu. */
#ifndef JUDGE_READY_H
#define JUDGE_READY_H

#include "judge/compile.h"

/* Where r->source (PATH.cu) is not there, but its PTX is: takes it, of `c` if it is there, else of another compiler.
 * All variants are in the one text; the source text is empty. false: there is nothing ready, and *out is untouched. */
bool compiled_ready(const struct compiler *c, const struct compile_request *r, struct compiled *out);
/* The path of that PTX. */
void compiled_ready_path(const char *source, const char *compiler, char *out, size_t size);
/* Drops what came of the source besides the code: comments, line tables, names of files. Returns the new length. */
size_t compiled_strip(char *ptx);

#endif
