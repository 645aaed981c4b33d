/* The costs of a launch's instructions, in machine instructions and cycles, after their translation by ptxas. */
#ifndef MODEL_COSTS_H
#define MODEL_COSTS_H

#include "model/gpus/gpu.h"
#include "sim/events.h"

enum { MAX_REGISTERS = 12 };
/* An instruction in the model: the registers that it reads and writes, with numbers unique in the program, at most
 * MAX_REGISTERS of each, and its costs.
 *
 *   weight    machine instructions
 *   latency   cycles until the result is ready
 *   serial    tenths of a cycle between two atomics on the same address
 *   holds     later instructions of the warp wait for its result
 *   stays     the assembler does not move instructions past it
 *   unrolled  the branch of a loop that the assembler unrolls; it remains only after the last copy of the loop body
 *   moves     only renames values, so the assembler needs no instruction
 *   bulk      a bulk copy, which is reported in pieces
 *   sleep     the operand that contains the duration for which a thread sleeps, in ns; NULL if it does not sleep
 *   polls     in a loop that only waits for other threads
 *   repeats   the branch that closes such a loop. Only the first iteration of the loop is counted, because the number
 *             of iterations depends on the simulator's order of blocks */
struct use {
    uint16_t latency, weight, serial, sources, dests;
    bool holds, stays, unrolled, moves, polls, repeats, bulk;
    const struct ptx_operand *sleep;
    uint32_t source[MAX_REGISTERS], dest[MAX_REGISTERS];
};
/* Returns the costs of all instructions, indexed by pc; free() them. Sets *registers to the number of registers in the
 * program. */
struct use *costs_of(const struct sim_launch_info *launch, const struct gpu *gpu, uint32_t *registers);

#endif
