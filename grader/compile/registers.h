/* The number of registers that a kernel needs. Only the assembler, which translates PTX to machine code, determines
 * this number. Because assembling takes as long as compiling, it is done only for files with a kernel that may need too
 * many registers for a block of 1024 threads. */
#ifndef COMPILE_REGISTERS_H
#define COMPILE_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns whether a kernel in the PTX may need more than 64 registers, according to an estimate (ptx_pressure()). Does
 * not check kernels that limit their block size. */
bool registers_may_not_fit(const char *ptx, size_t length);
/* Returns the PTX with a directive PTX_NEEDS in each kernel that the machine code `cubin`, an ELF file, contains;
 * free() it. Returns NULL if the file is invalid. */
char *registers_noted(const char *ptx, const char *cubin, size_t length);

#endif
