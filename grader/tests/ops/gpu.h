/* Runs the tests' kernels on a GPU. With GPU=1, each kernel of the instruction tests that has no faults is also
 * launched on the GPU, once for all instruction sets of the host. Results must be the same bit for bit. The ISA does
 * not specify which NaN an operation returns, so any NaN is accepted. A table lists kernels that cannot be compared,
 * with the reasons. Kernels that the driver's compiler rejects are counted. */
#ifndef TESTS_OPS_GPU_H
#define TESTS_OPS_GPU_H

#include "device/device.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text, *why, *and;
} not_compared[] = {
    {".approx", "approximate: the tests compare the simulator's results with an error bound"},
    {".full", "approximate"},
    {"%w, %y1, %y0; add.s64 %w, %w, %y3;",
     "the addresses of the windows of shared and local memory differ between machines"},
    {"cvta.shared.u64 %w, %y0;", "as above"},
    {"rem.", "by 0, the ISA does not define the result; GPUs return ones", "%d, %s0"},
    {"bfe.u64", "the driver's compiler emulates it and uses more than 8 bits of the position"},
    {"bfe.s64", "as above"},
    {"shr.", "the driver's compiler truncates an immediate shift distance above 65535 to 16 bits", "16 %d, %s0, 0x"},
    {"shl.", "as above", "16 %d, %s0, 0x"},
    {"@%on set.", "predicated: the driver's compiler also converts the value that must not change"},
    {"@%on testp.", "predicated: the driver's compiler drops the predicate"},
    {"mul.", "GPUs flush a result that rounds up to the smallest normal number, but the simulator does not", ".ftz"},
    {"div.", "as above", ".ftz"},
    {"fma.", "as above", ".ftz"},
    {"mad.", "as above", ".ftz"},
    {"cvt.", "GPUs do not flush a result of half the width", ".ftz"},
    {"%warpid", "depends on the GPU"},
    {"[%from+100000]", "goes out of bounds on purpose"},
    {", [from];\n.loc 1 1 0\nst.", "a parameter that holds an address"},
    {"mbarrier.pending_count", "the state is opaque"},
    {"bulk.tensor", "a GPU's tensor maps have a different format (tests/exec/tensor_map.cu)"},
    {"bulk.prefetch.tensor", "as above"},
    {"tensormap", "as above"},
    {"%envreg", "defined only in a cooperative launch"},
};
struct gpu_counts {
    unsigned equal, not_taken, left_out;
};
static inline struct gpu_counts *gpu_counts(void) {
    static struct gpu_counts counts;
    return &counts;
}
static inline void gpu_print_counts(void) {
    const struct gpu_counts *c = gpu_counts();
    printf("GPU: %u kernels with identical bits, %u not compared (see tests/ops/gpu.h), %u rejected by the driver\n",
           c->equal, c->left_out, c->not_taken);
}
/* Returns whether both values are NaNs: of 64 bits, of 32 bits or, if the kernel uses 16-bit floats, of 16 bits. */
static inline bool both_nan(const char *text, const unsigned char *a, const unsigned char *b, size_t k, size_t bytes) {
    uint64_t x = 0, y = 0;
    memcpy(&x, a + k / 8 * 8, bytes - k / 8 * 8 < 8 ? bytes - k / 8 * 8 : 8);
    memcpy(&y, b + k / 8 * 8, bytes - k / 8 * 8 < 8 ? bytes - k / 8 * 8 : 8);
    const unsigned shift = k / 4 % 2 * 32;
    const uint64_t f64 = UINT64_C(0x7fffffffffffffff), infinity = UINT64_C(0x7ff0000000000000);
    const uint32_t x32 = (uint32_t)(x >> shift) & 0x7fffffff, y32 = (uint32_t)(y >> shift) & 0x7fffffff;
    const uint32_t x16 = (uint32_t)(x >> k / 2 % 4 * 16) & 0x7fff, y16 = (uint32_t)(y >> k / 2 % 4 * 16) & 0x7fff;
    const uint32_t infinity16 = strstr(text, "bf16") ? 0x7f80 : strstr(text, "f16") ? 0x7c00 : UINT32_MAX;
    if (x16 > infinity16 && y16 > infinity16) return true;
    return ((x & f64) > infinity && (y & f64) > infinity) || (x32 > 0x7f800000 && y32 > 0x7f800000);
}
static inline void gpu_compare(const char *text, const struct sim_launch *launch, const void *in, size_t in_bytes,
                               const void *before, const void *sim, size_t out_bytes) {
    static int wanted = -1;
    if (wanted < 0 && (wanted = getenv("GPU") && atoi(getenv("GPU")))) atexit(gpu_print_counts);
    if (!wanted) return;
    for (size_t k = 0; k < sizeof not_compared / sizeof *not_compared; k++)
        if (strstr(text, not_compared[k].text) && (!not_compared[k].and || strstr(text, not_compared[k].and))) {
            gpu_counts()->left_out++;
            return;
        }
    const struct device *gpu = device_find("cuda");
    struct device_module *m = NULL;
    struct device_error e = {""};
    unsigned char *out = malloc(out_bytes + 1);
    const enum device_status status = gpu->load(text, strlen(text), "test.ptx", &m, &e);
    ck_assert_msg(status == DEVICE_OK, "GPU: %s", e.message);
    struct plan p = {0};
    plan_add_buffer(&p, (struct plan_buffer){"in", in_bytes, 1, PLAN_INPUT, 0});
    plan_add_buffer(&p, (struct plan_buffer){"out", out_bytes, 1, PLAN_INPUT, 1});
    plan_add_launch(&p, 0, launch->kernel, 1, 1);
    memcpy(plan_last(&p)->grid, launch->grid, sizeof launch->grid);
    memcpy(plan_last(&p)->block, launch->block, sizeof launch->block);
    memcpy(plan_last(&p)->cluster, launch->cluster, sizeof launch->cluster);
    plan_last(&p)->dynamic_shared = launch->dynamic_shared;
    plan_pass_address(&p, 1, 0), plan_pass_address(&p, 0, 0);
    plan_add_read(&p, 1, 0, out_bytes, PLAN_ARRAY);
    struct device_run r = {.plan = &p, .module = {m}, .inputs = (const void *const[]){in, before}, .outputs = out};
    gpu->run(&r, 1);
    plan_free(&p);
    if (r.status == DEVICE_SUBMISSION && strstr(r.error.message, "rejects this PTX")) {
        gpu_counts()->not_taken++;
        gpu->unload(m);
        free(out);
        return;
    }
    ck_assert_msg(r.status == DEVICE_OK, "GPU: %s in\n%.3000s", r.error.message, text);
    const unsigned char *ours = sim;
    for (size_t k = 0; k < out_bytes; k++)
        ck_assert_msg(out[k] == ours[k] || both_nan(text, out, ours, k, out_bytes),
                      "byte %zu: GPU %02x, simulator %02x (8 bytes: GPU %016llx, simulator %016llx) in\n%.3000s", k,
                      out[k], ours[k], *(unsigned long long *)(void *)(out + k / 8 * 8),
                      *(const unsigned long long *)(const void *)(ours + k / 8 * 8), text);
    gpu_counts()->equal++;
    gpu->unload(m);
    free(out);
}

#endif
