/* Scripts of events for the race probe. Commands are separated by semicolons:
 *
 *   0.1 st s +4            block 0, warp 1: lane l stores element l + 4 of s (float)
 *   0.1/0-15 ld s *2+1     lanes 0 to 15 load element 2 l + 1
 *   0.0/3 at data =7       lane 3 updates element 7 atomically; "=" gives all lanes the same element, "^1" gives lane l
 *                          element l xor 1, and "-31" element 31 - l
 *   ... vol | rel | acq    volatile, release, acquire
 *   ... cta                scope of the block
 *   ... computed           a strong load whose value is used in a computation
 *   ... u8 | f64x2         accesses of 1 byte or 16 bytes per lane
 *   bar 0                  __syncthreads() of block 0
 *   sync 0.1/0-15          __syncwarp() of these lanes
 *   shfl 0.1/0-15          a shuffle of these lanes
 *   fence 0.0/0            __threadfence(); fence.cta: __threadfence_block()
 *   arrive 0.0 1           bar.arrive 1
 *   wait 0.1 1             bar.sync 1, which does not complete yet
 *   meet 0 1               barrier 1 of block 0 completes
 *   launch                 the launch ends, and an equal launch begins
 *
 * Commands are numbered from 1. The number is the line of the command's instruction. */
#ifndef TESTS_SCRIPT_H
#define TESTS_SCRIPT_H

#include <stdio.h>
#include "stage.h"

struct who {
    unsigned block, warp;
    uint32_t lanes;
};
static struct who parse_who(const char *text) {
    struct who w = {.lanes = UINT32_MAX};
    unsigned low, high;
    int n = sscanf(text, "%u.%u/%u-%u", &w.block, &w.warp, &low, &high);
    ck_assert_msg(n >= 2, "not a block and warp: %s", text);
    if (n == 3) high = low;
    if (n >= 3) w.lanes = UINT32_MAX >> (31 - high) & UINT32_MAX << low;
    return w;
}
static uint64_t element(const char *pattern, unsigned lane) {
    int by, add;
    if (sscanf(pattern, "*%d+%d", &by, &add) == 2) return (uint64_t)(by * (int)lane + add);
    add = atoi(pattern + 1);
    switch (pattern[0]) {
    case '+': return lane + (uint64_t)add;
    case '=': return (uint64_t)add;
    case '^': return lane ^ (uint64_t)add;
    default: return (uint64_t)(add - (int)lane);
    }
}
static void play_access(char **word, unsigned words, uint32_t pc) {
    struct who w = parse_who(word[0]);
    bool u8 = false, wide = false, vol = false, rel = false, acq = false, cta = false, is_data = false;
    for (unsigned k = 4; k < words; k++) {
        u8 |= !strcmp(word[k], "u8"), wide |= !strcmp(word[k], "f64x2"), vol |= !strcmp(word[k], "vol");
        is_data |= !strcmp(word[k], "computed");
        rel |= !strcmp(word[k], "rel"), acq |= !strcmp(word[k], "acq"), cta |= !strcmp(word[k], "cta");
    }
    unsigned bytes = u8 ? 1 : wide ? 16 : 4;
    uint64_t offset[32];
    for (unsigned l = 0; l < 32; l++) offset[l] = element(word[3], l) * bytes;
    enum sim_access_kind kind = word[1][0] == 'l' ? SIM_LOAD : word[1][0] == 's' ? SIM_STORE : SIM_ATOMIC;
    struct sim_access e = stage_access(w.block, w.warp, w.lanes, pc, kind, word[2], bytes, offset);
    e.strong |= vol | rel | acq, e.is_volatile = vol, e.data = is_data, e.release = rel, e.acquire = acq,
                                 e.scope = cta ? PTX_MOD_CTA : PTX_MOD_GPU;
    stage.insn[pc].type = u8 ? PTX_U8 : wide ? PTX_F64 : PTX_F32;
    TELL(access, &e);
}
static uint32_t waiting[SIM_MAX_WARPS];
static void play_command(char **word, unsigned words, uint32_t pc) {
    if (!strcmp(word[0], "bar"))
        stage_barrier((unsigned)atoi(word[1]), pc);
    else if (!strcmp(word[0], "sync") || !strcmp(word[0], "shfl")) {
        struct who w = parse_who(word[1]);
        stage_sync(w.block, w.warp, pc, w.lanes, word[0][1] == 'y' ? SIM_SYNCWARP : SIM_SHUFFLE);
    } else if (!strncmp(word[0], "fence", 5)) {
        struct who w = parse_who(word[1]);
        struct sim_fence e = {&stage.where[w.block][w.warp], pc, w.lanes, word[0][5] ? PTX_MOD_CTA : PTX_MOD_GPU};
        TELL(fence, &e);
    } else if (!strcmp(word[0], "arrive") || !strcmp(word[0], "wait")) {
        struct who w = parse_who(word[1]);
        bool waits = word[0][0] == 'w';
        stage_arrive(w.block, w.warp, pc, w.lanes, (unsigned)atoi(word[2]), waits);
        waiting[w.warp] |= w.lanes;
    } else if (!strcmp(word[0], "meet")) {
        struct sim_barrier e = {.where = &stage.where[atoi(word[1])][0], .id = (unsigned)atoi(word[2])};
        memset(e.pc, 0xff, sizeof e.pc);
        for (unsigned k = 0; k < SIM_MAX_WARPS; k++)
            if ((e.arrived[k] = waiting[k])) e.pc[k] = pc;
        memset(waiting, 0, sizeof waiting);
        TELL(barrier, &e);
    } else if (!strcmp(word[0], "launch")) {
        stage_end_launch();
        stage_launch(stage.launch.blocks, stage.launch.threads);
    } else
        play_access(word, words, pc);
}

/* Plays a script on a new stage and ends the measurement. Call stage_free() afterward. */
static void play_script(const char *script, unsigned what, unsigned blocks, unsigned threads) {
    char *copy = strdup(script);
    stage_begin(what);
    stage_launch(blocks, threads);
    memset(waiting, 0, sizeof waiting);
    uint32_t pc = 0;
    for (char *save = NULL, *command = strtok_r(copy, ";", &save); command; command = strtok_r(NULL, ";", &save)) {
        char *word[8];
        unsigned words = 0;
        for (char *inner = NULL, *w = strtok_r(command, " ", &inner); w && words < 8; w = strtok_r(NULL, " ", &inner))
            word[words++] = w;
        if (words) play_command(word, words, pc++);
    }
    stage_end_launch();
    stage_finish();
    free(copy);
}

#endif
