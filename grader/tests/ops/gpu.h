/* The same kernel on a GPU: with GPU=1 in the environment every kernel that the instruction tests run without a fault
 * is launched there too (once, whatever the instruction set of the host), and what it leaves must be the same bits.
 *
 * NaN: the ISA leaves open which one an operation gives; any is as good as another. Kernels with an approximate
 * instruction (.approx) are not compared: their results are within a bound, which the tests check of ours. */
#ifndef TESTS_OPS_GPU_H
#define TESTS_OPS_GPU_H

#include "device/device.h"
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline bool both_nan(const unsigned char *a, const unsigned char *b, size_t k, size_t bytes) {
    uint64_t x = 0, y = 0;
    memcpy(&x, a + k / 8 * 8, bytes - k / 8 * 8 < 8 ? bytes - k / 8 * 8 : 8);
    memcpy(&y, b + k / 8 * 8, bytes - k / 8 * 8 < 8 ? bytes - k / 8 * 8 : 8);
    const unsigned shift = k / 4 % 2 * 32;
    const uint64_t f64 = UINT64_C(0x7fffffffffffffff), infinity = UINT64_C(0x7ff0000000000000);
    const uint32_t x32 = (uint32_t)(x >> shift) & 0x7fffffff, y32 = (uint32_t)(y >> shift) & 0x7fffffff;
    return ((x & f64) > infinity && (y & f64) > infinity) || (x32 > 0x7f800000 && y32 > 0x7f800000);
}
static inline void gpu_compare(const char *text, const struct sim_launch *launch, const void *in, size_t in_bytes,
                               const void *before, const void *sim, size_t out_bytes) {
    static int wanted = -1;
    if (wanted < 0) wanted = getenv("GPU") && atoi(getenv("GPU"));
    if (!wanted || strstr(text, ".approx")) return;
    const struct device *gpu = device_find("cuda");
    struct device_module *m = NULL;
    struct device_session *s = NULL;
    struct device_error e = {""};
    uint64_t in_at, out_at;
    unsigned char *out = malloc(out_bytes + 1);
    const struct device_options options = {.seed = 0};
    enum device_status status = gpu->load(text, strlen(text), "test.ptx", &m, &e);
    if (status == DEVICE_OK) status = gpu->open(m, &options, &s, &e);
    if (status == DEVICE_OK) status = gpu->alloc(s, "in", in_bytes, 0, &in_at, &e);
    if (status == DEVICE_OK) status = gpu->alloc(s, "out", out_bytes, 0, &out_at, &e);
    if (status == DEVICE_OK) status = gpu->write(s, in_at, in, in_bytes, &e);
    if (status == DEVICE_OK) status = gpu->write(s, out_at, before, out_bytes, &e);
    const struct device_launch l = {.kernel = launch->kernel,
                                    .grid = launch->grid[0],
                                    .block = launch->block[0],
                                    .grid_yz = {launch->grid[1], launch->grid[2]},
                                    .block_yz = {launch->block[1], launch->block[2]},
                                    .dynamic_shared = launch->dynamic_shared,
                                    .params = (const void *const[]){&out_at, &in_at},
                                    .param_count = 2};
    if (status == DEVICE_OK) status = gpu->launch(s, &l, NULL, &e);
    if (status == DEVICE_OK) status = gpu->read(s, out_at, out, out_bytes, &e);
    ck_assert_msg(status == DEVICE_OK, "GPU: %s in\n%.3000s", e.message, text);
    const unsigned char *ours = sim;
    for (size_t k = 0; k < out_bytes; k++)
        ck_assert_msg(out[k] == ours[k] || both_nan(out, ours, k, out_bytes),
                      "byte %zu: GPU %02x, simulator %02x (8 bytes: GPU %016llx, simulator %016llx) in\n%.3000s", k,
                      out[k], ours[k], *(unsigned long long *)(void *)(out + k / 8 * 8),
                      *(const unsigned long long *)(const void *)(ours + k / 8 * 8), text);
    gpu->close(s);
    gpu->unload(m);
    free(out);
}

#endif
