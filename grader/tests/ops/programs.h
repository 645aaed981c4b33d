/* Tests instructions with small programs that have an expected value for each thread.
 *
 *   PROGRAM(name, module-scope text, body, expected 32-bit result of thread t)
 *   WIDE(name, module-scope text, body, expected 64-bit result of thread t)
 *
 * A body runs on 64 threads and leaves its result in %r or %w. In the body, %t is the thread, %l the lane, and %from
 * the address of an array of 64-bit words with the values 1000, 1001, ... %p0.., %h0.., %x0.. and %y0.. are registers
 * of 1, 16, 32 and 64 bits. `buffer` is 1024 bytes of shared memory, and `depot` 64 bytes of local memory. */
#ifndef TESTS_OPS_PROGRAMS_H
#define TESTS_OPS_PROGRAMS_H

#include "tests/ops/run.h"

enum { PROGRAM_THREADS = 64 };
struct program {
    const char *name, *module, *body;
    uint64_t (*expected)(uint32_t t);
};

static inline void program_text(struct text *t, const struct program *p) {
    t->length = 0;
    const bool clusters = strstr(p->body, "shared::cluster.shared::cta") || strstr(p->body, "multicast") ||
                          strstr(p->body, "mapa"); /* copies between blocks need a cluster */
    const bool old = strstr(p->body, "vote.any");  /* vote without .sync needs an old target version */
    text_add(t, "%s%s\n.visible .entry k(.param .u64 to, .param .u64 from)%s {\n",
             old ? ".version 6.3\n.target sm_75\n.address_size 64\n.file 1 \"tested\"\n" : HEADER, p->module,
             clusters ? " .explicitcluster .reqnctapercluster 1, 1, 1" : "");
    text_add(t, ".reg .pred %%p<4>;\n.reg .b16 %%h<4>;\n.reg .b32 %%r, %%t, %%l, %%x<8>;\n");
    text_add(t, ".reg .b64 %%to, %%from, %%w, %%at, %%y<8>;\n");
    text_add(t, ".shared .align 16 .b8 buffer[1024];\n.local .align 16 .b8 depot[64];\n");
    text_add(t, UNTESTED "ld.param.u64 %%to, [to];\nld.param.u64 %%from, [from];\nmov.u32 %%t, %%tid.x;\n");
    text_add(t, "and.b32 %%l, %%t, 31;\nmov.u32 %%r, 0;\nmov.u64 %%w, 0;\n" TESTED "%s\n" UNTESTED, p->body);
    text_add(
        t, "cvt.u64.u32 %%at, %%r;\nadd.s64 %%w, %%w, %%at;\nmul.wide.u32 %%at, %%t, 8;\nadd.s64 %%at, %%to, %%at;\n");
    text_add(t, "st.global.u64 [%%at], %%w;\nret;\n}\n");
}
/* Runs a program. Its results must not depend on the order of warps, nor on the order of a branch's sides. */
static inline void check_program(const struct program *p, const char *isa) {
    static struct text t;
    static struct run r;
    uint64_t out[PROGRAM_THREADS], in[PROGRAM_THREADS];
    for (unsigned k = 0; k < PROGRAM_THREADS; k++) in[k] = 1000 + k;
    program_text(&t, p);
    for (uint64_t seed = 0; seed < 4; seed++) {
        memset(out, 0x5a, sizeof out);
        r = (struct run){.text = t.data,
                         .isa = isa,
                         .block = {PROGRAM_THREADS},
                         .dynamic_shared = 4096,
                         .in = in,
                         .in_bytes = sizeof in,
                         .out = out,
                         .out_bytes = sizeof out,
                         .options = {.seed = seed, .shuffle = seed > 0}};
        run(&r);
        ck_assert_msg(r.status == SIM_DONE, "%s was stopped", p->name);
        for (uint32_t k = 0; k < PROGRAM_THREADS; k++)
            if (out[k] != p->expected(k))
                ck_abort_msg("%s, %s, seed %llu, thread %u: got %llx, expected %llx", p->name, isa,
                             (unsigned long long)seed, k, (unsigned long long)out[k],
                             (unsigned long long)p->expected(k));
    }
}

#endif
