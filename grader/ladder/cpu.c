/* Runs rows on the host's CPU cores and measures their read bandwidth. */
#include "base/clock.h"
#include "ladder/ladder.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = 64 /* accumulators per thread, enough to hide the latency of the widest vectors */, REPEATS = 5 };

#define SUM(a, b) ((a) + (b))
#define PRODUCT(a, b) ((a) * (b))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((a) < (b) ? (b) : (a))
#define EACH_OP(M, T, type) M(T, type, SUM, sum) M(T, type, PRODUCT, product) M(T, type, MIN, min) M(T, type, MAX, max)
#define EACH(M)                                                                                                        \
    EACH_OP(M, int32_t, i32)                                                                                           \
    EACH_OP(M, uint32_t, u32) EACH_OP(M, int64_t, i64) EACH_OP(M, float, f32) EACH_OP(M, double, f64)

#if defined __SANITIZE_ADDRESS__ /* the vectorized code would take a second to compile */
#define VECTORS
#elif defined __x86_64__
#define VECTORS __attribute__((optimize("O3"), target_clones("avx2", "default")))
#else
#define VECTORS __attribute__((optimize("O3")))
#endif
/* Reductions by one thread: from left to right, and with LANES independent accumulators that a compiler can
 * vectorize. */
#define DEFINE(T, type, OP, op)                                                                                        \
    static T serial_##op##_##type(const T *x, uint64_t n, T sum) {                                                     \
        for (uint64_t i = 0; i < n; i++) sum = OP(sum, x[i]);                                                          \
        return sum;                                                                                                    \
    }                                                                                                                  \
    VECTORS static T vector_##op##_##type(const T *x, uint64_t n, T identity) {                                        \
        T lane[LANES], sum = identity;                                                                                 \
        uint64_t i = 0;                                                                                                \
        for (unsigned k = 0; k < LANES; k++) lane[k] = identity;                                                       \
        for (; i + LANES <= n; i += LANES)                                                                             \
            for (unsigned k = 0; k < LANES; k++) lane[k] = OP(lane[k], x[i + k]);                                      \
        for (unsigned k = 0; k < LANES; k++) sum = OP(sum, lane[k]);                                                   \
        for (; i < n; i++) sum = OP(sum, x[i]);                                                                        \
        return sum;                                                                                                    \
    }
EACH(DEFINE)
#undef DEFINE

/* Reduces one thread's part of the data. */
static union value part(struct variant v, const void *data, uint64_t first, uint64_t n, bool vectors) {
    union value x = reference_identity(v);
    const void *at = (const char *)data + first * variant_size(v);
#define CASE(T, type, OP, op)                                                                                          \
    if (!strcmp(variant_name(v), #op "_" #type))                                                                       \
        x.type = vectors ? vector_##op##_##type(at, n, x.type) : serial_##op##_##type(at, n, x.type);
    EACH(CASE)
#undef CASE
    for (uint64_t k = 0; variant_is_struct(v) && k < n; k++) x = reference_combine(v, x, reference_load(v, at, k));
    return x;
}
union value ladder_serial(struct variant v, const void *data, uint64_t n) {
    return part(v, data, 0, n, false);
}

/* Lets each thread reduce a contiguous part, and then combines the results in order. */
static union value by_all(struct variant v, const void *data, uint64_t n, bool vectors) {
    union value own[256], x = reference_identity(v);
    int threads = 1;
#pragma omp parallel num_threads(omp_get_num_procs() < 256 ? omp_get_num_procs() : 256)
    {
        const uint64_t count = (uint64_t)omp_get_num_threads(), k = (uint64_t)omp_get_thread_num();
        const uint64_t first = n * k / count, end = n * (k + 1) / count;
        own[k] = part(v, data, first, end - first, vectors);
#pragma omp single
        threads = (int)count;
    }
    for (int k = 0; k < threads; k++) x = reference_combine(v, x, own[k]);
    return x;
}
union value ladder_threads(struct variant v, const void *data, uint64_t n) {
    return by_all(v, data, n, false);
}
union value ladder_vectors(struct variant v, const void *data, uint64_t n) {
    return by_all(v, data, n, true);
}

void ladder_cpu(const struct ladder_row *row, struct variant v, const void *data, uint64_t n, struct ladder_result *r) {
    double best = 0;
    for (unsigned k = 0; k < REPEATS; k++) {
        const double start = clock_seconds();
        r->total = row->on_cpu(v, data, n);
        const double took = clock_seconds() - start;
        if (!k || took < best) best = took;
    }
    r->measured_us = 1e6 * best;
}
double ladder_read_bandwidth(void) {
    const size_t bytes = (size_t)512 << 20;
    double *data = malloc(bytes), best = 0;
    volatile double seen = 0;
    if (!data) return 0;
#pragma omp parallel
    { /* first touch: each thread initializes the memory that it will read */
        const size_t count = (size_t)omp_get_num_threads(), k = (size_t)omp_get_thread_num(), words = bytes / 8;
        for (size_t i = words * k / count; i < words * (k + 1) / count; i++) data[i] = 1;
    }
    for (unsigned k = 0; k < REPEATS; k++) {
        const double start = clock_seconds();
        seen = seen + by_all((struct variant){REDUCE_OP_MAX, REDUCE_TYPE_F64}, data, bytes / 8, true).f64;
        const double rate = (double)bytes / (clock_seconds() - start);
        if (rate > best) best = rate;
    }
    free(data);
    return best;
}
