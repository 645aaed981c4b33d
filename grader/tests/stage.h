/* A stage: it sends handmade events to probes, without a simulator. Instruction pc is at line pc + 1 of k.cu. The
 * check_probes_*.c programs include this header. */
#ifndef TESTS_STAGE_H
#define TESTS_STAGE_H

#include "probes/probes.h"
#include "sim/sim.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define STAGE_BASE UINT64_C(0x700000000000) /* address of global memory */
enum { STAGE_CODE = 256, STAGE_BLOCKS = 8, STAGE_SHARED = 8192 };

struct stage {
    struct ptx_module module;
    char *files[2];
    struct ptx_insn insn[STAGE_CODE];
    const struct ptx_insn *code[STAGE_CODE];
    struct sim_launch_info launch;
    struct sim_object in, data, out, shared[STAGE_BLOCKS], local;
    const struct sim_object *objects[3];
    struct sim_where where[STAGE_BLOCKS][SIM_MAX_WARPS];
    struct measurement m;
};
static struct stage stage;

/* Shared memory: float s[512] and, after it, unsigned counter. */
static const struct sim_symbol stage_symbols[] = {{"s", 0, 2048}, {"_ZZ6kernelPfE7counter", 2048, 4}};
#define TELL(event, e)                                                                                                 \
    do {                                                                                                               \
        for (unsigned k_ = 0; k_ < stage.m.listener_count; k_++)                                                       \
            if (stage.m.listeners[k_].probe->event)                                                                    \
                stage.m.listeners[k_].probe->event(stage.m.listeners[k_].self, (e));                                   \
    } while (0)

static struct sim_object stage_object(const char *name, enum sim_object_kind kind, enum ptx_space space,
                                      uint64_t address, uint64_t size, unsigned id) {
    return (struct sim_object){
        .kind = kind, .space = space, .name = name, .address = address, .size = size, .id = id, .initialized = true};
}

/* Starts a launch of blocks with `threads` threads. Each block has its own slot. */
static void stage_launch(unsigned blocks, unsigned threads) {
    struct sim_launch_info *l = &stage.launch;
    l->blocks = l->run_blocks = blocks, l->threads = threads, l->warps = (threads + 31) / 32, l->slots = blocks;
    TELL(launch_begin, l);
    for (unsigned b = 0; b < blocks; b++) {
        for (unsigned w = 0; w < l->warps; w++) {
            uint32_t rest = threads - 32 * w, launched = rest >= 32 ? UINT32_MAX : (1u << rest) - 1;
            stage.where[b][w] = (struct sim_where){l, b, b, w, launched, launched};
        }
        bool spans = true;
        struct sim_block_event e = {&stage.where[b][0], false, NULL, &spans};
        TELL(block_begin, &e);
    }
}
static void stage_end_launch(void) {
    for (unsigned b = 0; b < stage.launch.blocks; b++) {
        struct sim_block_event e = {&stage.where[b][0], true};
        TELL(block_end, &e);
    }
    TELL(launch_end, &stage.launch);
}
static void stage_begin(unsigned what) {
    memset(&stage, 0, sizeof stage);
    stage.files[1] = (char *)"somewhere/k.cu";
    stage.module.files = stage.files, stage.module.file_count = 2;
    for (unsigned pc = 0; pc < STAGE_CODE; pc++) {
        stage.insn[pc].op = PTX_OP_add_int, stage.insn[pc].type = PTX_B32;
        stage.insn[pc].loc.file = 1, stage.insn[pc].loc.line = pc + 1;
        stage.code[pc] = &stage.insn[pc];
    }
    stage.in = stage_object("in", SIM_BUFFER, PTX_GLOBAL, STAGE_BASE, 65536, 1);
    stage.data = stage_object("data", SIM_BUFFER, PTX_GLOBAL, STAGE_BASE + SIM_OBJECT_GAP, 65536, 2);
    stage.out = stage_object("out", SIM_BUFFER, PTX_GLOBAL, STAGE_BASE + 2 * SIM_OBJECT_GAP, 4096, 3);
    stage.local = stage_object("local memory", SIM_LOCAL_MEMORY, PTX_LOCAL, 0, 64, 0);
    stage.out.initialized = stage.local.initialized = false;
    for (unsigned b = 0; b < STAGE_BLOCKS; b++) {
        stage.shared[b] = stage_object("shared memory", SIM_SHARED_MEMORY, PTX_SHARED, 0, STAGE_SHARED, b);
        stage.shared[b].initialized = false;
    }
    stage.objects[0] = &stage.in, stage.objects[1] = &stage.data, stage.objects[2] = &stage.out;
    stage.launch = (struct sim_launch_info){.module = &stage.module,
                                            .shared_bytes = STAGE_SHARED,
                                            .objects = stage.objects,
                                            .object_count = 3,
                                            .symbols = stage_symbols,
                                            .symbol_count = sizeof stage_symbols / sizeof *stage_symbols,
                                            .code = stage.code,
                                            .code_count = STAGE_CODE,
                                            .code_end = STAGE_CODE};
    measure_begin(&stage.m, what);
}
static void stage_finish(void) { measure_end(&stage.m); }
static void stage_free(void) { measure_free(&stage.m); }

static const struct sim_object *stage_find(const char *name, unsigned block) {
    if (!strcmp(name, "s")) return &stage.shared[block];
    return !strcmp(name, "in")     ? &stage.in
           : !strcmp(name, "data") ? &stage.data
           : !strcmp(name, "out")  ? &stage.out
                                   : &stage.local;
}
/* Returns an access by the lanes in `mask`. `offset` has 32 offsets in bytes, also for inactive lanes. */
static struct sim_access stage_access(unsigned block, unsigned warp, uint32_t mask, uint32_t pc,
                                      enum sim_access_kind kind, const char *object, unsigned bytes,
                                      const uint64_t offset[32]) {
    struct sim_access e = {.where = &stage.where[block][warp],
                           .pc = pc,
                           .mask = mask,
                           .kind = kind,
                           .object = stage_find(object, block),
                           .bytes = (uint16_t)bytes,
                           .contiguous = true,
                           .strong = kind == SIM_ATOMIC,
                           .offset = offset};
    unsigned first = (unsigned)__builtin_ctz(mask);
    for (unsigned l = 0; l < 32; l++)
        if (mask >> l & 1 && offset[l] != offset[first] + (l - first) * bytes) e.contiguous = false;
    return e;
}
/* Plays an access: lane l in the mask accesses element `first + l * stride`. An element has `bytes` bytes. */
static __attribute__((unused)) void stage_touch(unsigned block, unsigned warp, uint32_t mask, uint32_t pc,
                                                enum sim_access_kind kind, const char *object, unsigned bytes,
                                                int first, int stride) {
    uint64_t offset[32];
    for (int l = 0; l < 32; l++) offset[l] = (uint64_t)(int64_t)((first + l * stride) * (int)bytes);
    struct sim_access e = stage_access(block, warp, mask, pc, kind, object, bytes, offset);
    TELL(access, &e);
}
static __attribute__((unused)) void stage_span(unsigned block, unsigned warp, uint32_t begin, uint32_t end,
                                               uint32_t mask) {
    struct sim_span e = {&stage.where[block][warp], begin, end, mask};
    TELL(span, &e);
}
static __attribute__((unused)) void stage_sync(unsigned block, unsigned warp, uint32_t pc, uint32_t mask,
                                               enum sim_sync_kind kind) {
    struct sim_sync e = {&stage.where[block][warp], pc, mask, kind};
    TELL(sync, &e);
}
static __attribute__((unused)) void stage_arrive(unsigned block, unsigned warp, uint32_t pc, uint32_t mask, unsigned id,
                                                 bool waits) {
    struct sim_arrival e = {&stage.where[block][warp], pc, mask, id, true, waits};
    TELL(arrival, &e);
}
/* Lets all live lanes of the block arrive at barrier 0, at `pc`, which completes the barrier. */
static __attribute__((unused)) void stage_barrier(unsigned block, uint32_t pc) {
    struct sim_barrier e = {.where = &stage.where[block][0], .whole_block = true};
    memset(e.pc, 0xff, sizeof e.pc);
    for (unsigned w = 0; w < stage.launch.warps; w++) {
        stage_arrive(block, w, pc, stage.where[block][w].live, 0, true);
        e.arrived[w] = stage.where[block][w].live, e.pc[w] = pc;
    }
    TELL(barrier, &e);
}

/* Returns the figures of a line, or NULL if it has none. */
static __attribute__((unused)) const struct line_counts *stage_line(unsigned line) {
    for (unsigned k = 0; k < stage.m.line_count; k++)
        if (stage.m.lines[k].line == line) return &stage.m.lines[k];
    return NULL;
}

/* Returns the kinds and lines of all findings in order, such as "race-shared 3 2; runaway 5". The second number is
 * the line of the finding's other place, if it has one. */
static __attribute__((unused)) const char *stage_findings(void) {
    static char text[2000];
    size_t used = 0;
    text[0] = 0;
    for (unsigned k = 0; k < stage.m.findings.count; k++) {
        const struct finding *f = &stage.m.findings.item[k];
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s %u", k ? "; " : "", f->kind->key, f->at.line);
        if (f->other.pc != UINT32_MAX) used += (size_t)snprintf(text + used, sizeof text - used, " %u", f->other.line);
    }
    return text;
}

#endif
