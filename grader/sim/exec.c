/* Handlers that process all lanes of a warp in a loop. This file is compiled for each host instruction set (EXEC_ISA),
 * so that gcc can vectorize the loops. program.c selects a compiled set when it decodes a program. */
#include "sim/row.h"
#include "sim/machine.h"
#include <fenv.h>
#include <math.h>
#include <string.h>

#ifdef __GNUC__
#pragma GCC optimize("no-trapping-math",                                                                               \
                     "no-math-errno") /* inactive lanes may be computed, too: no code reads the exception flags */
#pragma GCC diagnostic ignored "-Wunused-local-typedefs" /* not every handler uses T, U and W */
#pragma GCC diagnostic ignored "-Wtype-limits"           /* one expression serves signed and unsigned types */
#endif

#define NAME_(a, b) a##b
#define NAME(a, b) NAME_(a, b)
#define STRING_(a) #a
#define STRING(a) STRING_(a)

/* Defines form_NAME() for a FORM row that has one handler for all types. */
#define ONE_HANDLER(name)                                                                                              \
    static void form_##name(struct sim_insn *i) { i->exec = exec_##name; }

#include "sim/exec_types.h"
#include "sim/exec_half.h"
#include "sim/exec_lanes.h"
#include "sim/exec_select.h"
#include "sim/exec_convert.h"
#include "sim/exec_memory.h"

#define ENTRY(type, id) [PTX_OP_##id][PTX_##type] = lane_##id##_##type,
#define ENTRY_OF(type, id) [PTX_##type] = lane_##id##_##type,
#define ENTRY_OF_FTZ(type, id) [PTX_##type] = FTZ_NAME_##type(id),
#define ENTRY_FTZ(type, id) [PTX_OP_##id][PTX_##type] = FTZ_NAME_##type(id),
const struct sim_handlers NAME(sim_handlers_, EXEC_ISA) = {
    .isa = STRING(EXEC_ISA),
    .combine = combined_in_bulk,
    .lane = {{
#define LANE(id, mnemonic, shape, types, allow, expr, summary, ...) EACH_##types(ENTRY, id)
#include "ptx/ops.def"
             },
             {
#define LANE(id, mnemonic, shape, types, allow, expr, summary, ...) EACH_##types(ENTRY_FTZ, id)
#include "ptx/ops.def"
             }},
    .difference = {{{EACH_FLT(ENTRY_OF, minus_product) EACH_HALF(ENTRY_OF, minus_product)},
                    {EACH_FLT(ENTRY_OF_FTZ, minus_product) EACH_HALF(ENTRY_OF_FTZ, minus_product)}},
                   {{EACH_FLT(ENTRY_OF, product_minus) EACH_HALF(ENTRY_OF, product_minus)},
                    {EACH_FLT(ENTRY_OF_FTZ, product_minus) EACH_HALF(ENTRY_OF_FTZ, product_minus)}}},
    .form =
        {
#define FORM(id, mnemonic, operands, types, types2, allow, decoder, handler, ...) [PTX_OP_##id] = form_##handler,
#include "ptx/ops.def"
        },
};
