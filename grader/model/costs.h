/* What each instruction of a launch costs, in machine instructions and cycles, as ptxas translates it. */
#ifndef MODEL_COSTS_H
#define MODEL_COSTS_H

#include "model/gpus/gpu.h"
#include "sim/events.h"

enum { MOST_REGISTERS = 12 };
/* The registers that an instruction reads and writes, by numbers unique in the program, and its cost: `weight` machine
 * instructions, and `latency` cycles until its result is ready; `serial`: tenths of a cycle for an atomic; `holds`:
 * nothing of the warp starts before it; `stays`: nothing is moved past it; `unrolled`: a back branch that remains only
 * in the last unrolled iteration; `moves`: it only renames values, for which the assembler needs no instruction;
 * `bulk`: a bulk copy, reported in pieces; `polls`: in a loop that only waits for other threads, which `repeats`
 * closes. Its first iteration counts alone: how many there are depends on the simulator's order of blocks. */
struct use {
    uint16_t latency, weight, serial, sources, dests;
    bool holds, stays, unrolled, moves, polls, repeats, bulk;
    uint32_t source[MOST_REGISTERS], dest[MOST_REGISTERS];
};
/* By pc; free() it. `registers`: how many the program has. */
struct use *costs_of(const struct sim_launch_info *launch, const struct gpu *gpu, uint32_t *registers);

#endif
