/* Tests which edits the rules of fix/ propose for a text, before any edit is tried. check_beginner.c tests the fixes
 * that result. */
/* run: sanitized, 5 s */
/* reads: nothing */
#include "fix/choices.h"
#include "record/terms.h"
#include "tests/effort.h"
#include "tests/suite.h"
#include <stdlib.h>
#include <string.h>

/* A kernel that a beginner might write in any lab. Its comment and one of its lines use terms of later labs. */
static const char kernel[] =
    "/* not yet: atomicAdd, __syncwarp, __threadfence, __shfl_down_sync */\n"
    "__device__ unsigned ticket;\n"
    "extern __shared__ value_t s[];\n"
    "__global__ void reduce(const value_t *in, value_t *partial, value_t *total, unsigned n) {\n"
    "    unsigned t = threadIdx.x, start = 2 * blockIdx.x * blockDim.x;\n"
    "    s[t] = start + t < n ? in[start + t] : identity();\n"
    "    s[t + blockDim.x] = start + t + blockDim.x < n ? in[start + t + blockDim.x] : identity();\n"
    "    for (unsigned stride = blockDim.x; stride > 0; stride /= 2)\n"
    "        if (t < stride) s[t] = combine(s[t], s[t + stride]);\n"
    "    partial[blockIdx.x] = s[0];\n"
    "    if (t == 0) atomic_combine(&total[0], s[0]);\n"
    "    if (t == 0) atomicAdd(&ticket, 1);\n"
    "}\n";

static unsigned occurrences(const struct term *t, const char *text) {
    unsigned count = 0;
    for (const char *at = text; (at = term_in(t, at)); at += strlen(t->word)) count++;
    return count;
}
static void all_rules(struct edit_list *l) {
    for (int32_t f = 0; f < l->source->functions; f++) rules_all(l, f);
}
/* The edits that a lab's student gets contain only terms that the lab has taught or that the student's text
 * contains. */
START_TEST(edits_use_only_taught_terms) {
    const unsigned taught = (unsigned)_i;
    struct source source;
    ck_assert(source_parse(&source, kernel, false));
    struct edit_list list = {.source = &source};
    unsigned proposed = 0;
    all_rules(&list);
    for (unsigned k = 0; k < list.count; k++) {
        if (!edit_is_taught(&source, &list.item[k], taught)) continue;
        char *now = edit_apply(&source, &list.item[k]);
        for (const struct term *t = terms; t->word; t++)
            ck_assert_msg(t->lab <= taught || occurrences(t, now) <= occurrences(t, kernel), "lab %u: `%s` in\n%s",
                          taught, t->word, now);
        ck_assert_msg(terms_known(taught, fix_causes[list.item[k].cause].idea), "lab %u: %s", taught,
                      fix_causes[list.item[k].cause].idea);
        free(now);
        proposed++;
    }
    ck_assert_uint_gt(proposed, 50);
    edit_list_free(&list);
    source_free(&source);
}
END_TEST
/* The first labs get an edit only if its description has no terms of later labs. The descriptions of these causes
 * must have none. */
START_TEST(the_first_labs_get_these_causes) {
    static const enum fix_cause first[] = {FIX_BARRIER,   FIX_BARRIER_IN_BRANCH, FIX_EARLY_END, FIX_ONE_THREAD,
                                           FIX_ASSIGNED,  FIX_LOOP_START,        FIX_LOOP_STEP, FIX_NO_BODY,
                                           FIX_GUARD,     FIX_NO_GUARD,          FIX_INDEX,     FIX_IDENTITY,
                                           FIX_NOT_RESET, FIX_MISSING_STEP,      FIX_SEQUENCE,  FIX_OUTPUT_PLACE};
    for (size_t k = 0; k < sizeof first / sizeof *first; k++)
        ck_assert_msg(terms_known(1, fix_causes[first[k]].idea), "%s", fix_causes[first[k]].idea);
}
END_TEST
/* No edit may use a word before the lab that teaches it. */
static const struct {
    const char *word;
    unsigned lab;
} later[] = {{"__syncwarp", 5}, {"__threadfence", 7}};
START_TEST(rules_use_terms_only_after_they_are_taught) {
    struct source source;
    ck_assert(source_parse(&source, kernel, false));
    struct edit_list list = {.source = &source};
    all_rules(&list);
    for (unsigned taught = 0; taught < 11; taught++) {
        unsigned with = 0;
        for (unsigned k = 0; k < list.count; k++)
            for (unsigned p = 0; p < list.item[k].parts; p++)
                with +=
                    strstr(list.item[k].part[p].text, later[_i].word) && edit_is_taught(&source, &list.item[k], taught);
        ck_assert_msg((with > 0) == (taught >= later[_i].lab), "lab %u: %u edits with %s", taught, with,
                      later[_i].word);
    }
    edit_list_free(&list);
    source_free(&source);
}
END_TEST
/* For a kernel with these statements, the rules must propose the edit with this diff (offered) or must not propose
 * it. */
static const struct mend {
    const char *statements, *diff;
    bool offered;
    enum fix_cause cause; /* FIX_BARRIER, which is 0, matches any cause */
} mends[] = {
    {"stride * 2;", "-stride * 2;\n+stride *= 2;\n", true, FIX_NOT_KEPT},
    {"if (t = 0) s[t] = x;", "-if (t = 0) s[t] = x;\n+if (t == 0) s[t] = x;\n", true, FIX_ASSIGNED},
    {"unsigned half = stride / 2;", "-unsigned half = stride / 2;\n+unsigned half = (stride + 1) / 2;\n", true,
     FIX_ROUND_UP},
    {"unsigned half = (stride + 1) / 2;", "-unsigned half = (stride + 1) / 2;\n+unsigned half = stride / 2;\n", true,
     FIX_ROUND_DOWN},
    {"unsigned i = t;", "-unsigned i = t;\n+unsigned i = blockIdx.x * blockDim.x + t;\n", true, FIX_BLOCK_MISSING},
    {"unsigned all = blockDim.x;", "-unsigned all = blockDim.x;\n+unsigned all = gridDim.x * blockDim.x;\n", true,
     FIX_BLOCK_INDEX},
    {"unsigned chunk = blockDim.x, i = blockIdx.x * chunk;",
     "-unsigned chunk = blockDim.x, i = blockIdx.x * chunk;\n"
     "+unsigned chunk = (n + gridDim.x - 1) / gridDim.x, i = blockIdx.x * chunk;\n",
     true, FIX_CHUNK},
    {"unsigned chunk = n / gridDim.x, i = 0;",
     "-unsigned chunk = n / gridDim.x, i = 0;\n+unsigned chunk = n / gridDim.x, i = blockIdx.x * chunk;\n", true,
     FIX_BLOCK_MISSING},
    {"unsigned from = blockIdx.x * stride, to = n;",
     "-unsigned from = blockIdx.x * stride, to = n;\n"
     "+unsigned from = blockIdx.x * stride, to = min(from + stride, n);\n",
     true, FIX_CHUNK},
    {"partial[0] = in[0];\nvalue_t y = x;\npartial[1] = x;", "-partial[1] = x;\n+partial[1] = y;\n", true, FIX_VALUE},
    {"while (stride) { if (stride > 2) __syncthreads(); }",
     "-while (stride) { if (stride > 2) __syncthreads(); }\n+while (stride) { __syncthreads(); }\n", true,
     FIX_BARRIER_SKIPPED},
    {"if (t < stride) __syncthreads();", "-if (t < stride) __syncthreads();\n+__syncthreads();\n", true,
     FIX_BARRIER_IN_BRANCH},
    {"while (t < n) {\nt++;\n}\n__syncthreads();", "-}\n-__syncthreads();\n+__syncthreads();\n+}\n", true,
     FIX_BARRIER_AFTER_LOOP},
    {"x = combine(x, in[t]);", "-x = combine(x, in[t]);\n+x = combine(x, partial[t]);\n", true, FIX_ARRAY},
    {"value_t y = x;", "-value_t y = x;\n+value_t y = identity();\n", true, FIX_INITIAL_VALUE},
    {"if (t == 0 && stride < n) partial[0] = x;",
     "-if (t == 0 && stride < n) partial[0] = x;\n+if (t == 0) partial[0] = stride < n ? x : identity();\n", true,
     FIX_IDENTITY},
    {"value_t y = 0;\ny += x;", "-value_t y = 0;\n-y += x;\n+value_t y = identity();\n+y = combine(y, x);\n", true,
     FIX_COMBINE},
    {"if (stride >= n) return;\nx = in[stride + t];", "-if (stride >= n) return;\n+if (stride + t >= n) return;\n",
     true, FIX_GUARD},
    {"if (stride + t < n) x = in[t + blockDim.x];",
     "-if (stride + t < n) x = in[t + blockDim.x];\n+if (stride + t + blockDim.x < n) x = in[t + blockDim.x];\n", true,
     FIX_GUARD},
    {"if (t <= n - 1) x = in[t];", "-if (t <= n - 1) x = in[t];\n+if (t < n) x = in[t];\n", true, FIX_GUARD},
    {"if (t != 0) return;\nx = s[1];", "-if (t != 0) return;\n+if (t == 0)\n", true, FIX_EARLY_END},
    {"while (stride) { s[t] = combine(s[t], x); }",
     "-while (stride) { s[t] = combine(s[t], x); }\n+s[t] = identity();\n+while (stride) { s[t] = combine(s[t], x); "
     "}\n",
     true, FIX_NOT_WRITTEN},
    {"s[t] = x;\nwhile (stride) { s[t] = combine(s[t], x); }",
     "-while (stride) { s[t] = combine(s[t], x); }\n+s[t] = identity();\n+while (stride) { s[t] = combine(s[t], x); "
     "}\n",
     true, FIX_NOT_RESET},
    {"while (stride) { s[t] = combine(s[t], in[t]); stride /= 2; }",
     "-while (stride) { s[t] = combine(s[t], in[t]); stride /= 2; }\n"
     "+while (stride) { s[t] = combine(s[t], s[t + stride]); stride /= 2; }\n",
     true, FIX_ARRAY},
    {"if (t % stride == 0) s[t] = s[0];",
     "-if (t % stride == 0) s[t] = s[0];\n+if (t % (2 * stride) == 0) s[t] = s[0];\n", true},
    {"stride >>= 1;\nstride >>= 1;\nif (t < stride) s[t] = s[0];", "-stride >>= 1;\n", true},
    {"stride >>= 1;", "-stride >>= 1;\n+t >>= 1;\n", false},
    {"unsigned m = (n + 31) / 32;\ns[t] = m;", "-unsigned m = (n + 31) / 32;\n+unsigned m = twice((n + 31) / 32);\n",
     false},
    {"value_t x = s[t];", "-value_t x = s[t];\n+value_t x = twice(s[t]);\n", true},
    {"if (t < stride) x = combine(x, __shfl_down_sync(__activemask(), x, stride));",
     "-if (t < stride) x = combine(x, __shfl_down_sync(__activemask(), x, stride));\n"
     "+x = combine(x, __shfl_down_sync(0xffffffff, x, stride));\n",
     true},
    {"x = combine(s[t], s[t + stride]);", "-x = combine(s[t], s[t + stride]);\n+x = combine(s[2 * t], s[2 * t + 1]);\n",
     true},
    {"value_t y = combine(x, x);\n__syncthreads();", "-}\n+s[t] = y;\n+}\n", true},
    {"a.value = f(b.value, 1);\na.index = b.index;", "-a.index = b.index;\n+a.index = f(b.index, 1);\n", true},
    {"x = s[t];\ns[t] = s[t + stride];", "-x = s[t];\n+x = s[t + stride];\n", true},
    {"partial[blockIdx.x] = in[stride];", "-partial[blockIdx.x] = in[stride];\n+partial[blockIdx.x] = s[0];\n", true},
    {"value_t y = identity();\ns[t] = y;",
     "-value_t y = identity();\n+value_t y = stride + t < n ? in[stride + t] : identity();\n", true},
    {"unsigned lane = t / 32, warp = t % 32;",
     "-unsigned lane = t / 32, warp = t % 32;\n+unsigned lane = t % 32, warp = t / 32;\n", true},
    {"x = twice(x);", "-x = twice(x);\n+x = twice(t < stride ? s[t] : identity());\n", true},
    {"x = s[0];", "-x = s[0];\n+x = twice(t < stride ? s[t] : identity());\n", true},
    {"unsigned warp = t / 32;\ns[blockDim.x] = x;", "-s[blockDim.x] = x;\n+s[warp + blockDim.x] = x;\n", true},
    {"int y = f(b.index);", "-int y = f(b.index);\n+auto y = f(b.index);\n", true},
    {"__shared__ bool last;\n__syncthreads();\nt = 1;", "-t = 1;\n+if (!last) return;\n+t = 1;\n", true,
     FIX_LAST_BLOCK},
    {"__shared__ bool last;\n__syncthreads();\nif (!last) { t = 1; return; }",
     "-if (!last) { t = 1; return; }\n+if (!last) return;\n+if (!last) { t = 1; return; }\n", false},
    {"partial[t] = combine(partial[t], x);", "-partial[t] = combine(partial[t], x);\n+partial[t] = x;\n", true,
     FIX_OLD_OUTPUT},
    {"*partial = combine(x, *partial);", "-*partial = combine(x, *partial);\n+atomic_combine(partial, x);\n", true,
     FIX_ATOMIC},
    {"if (t < stride) x = s[t];",
     "-if (t < stride) x = s[t];\n"
     "+for (unsigned each = t; each < stride; each += blockDim.x) x = combine(x, s[each]);\n",
     true, FIX_LOOP},
    {"while (stride) {\nx = identity();\nx = combine(x, in[stride]);\nstride /= 2;\n}",
     "-while (stride) {\n-x = identity();\n+x = identity();\n+while (stride) {\n", true, FIX_RESTARTS},
    {"while (stride) {\nx = in[stride];\nstride /= 2;\n}",
     "-x = in[stride];\n-stride /= 2;\n+stride /= 2;\n+x = in[stride];\n", true, FIX_SEQUENCE},
    {"for (; stride + 3 * t < n; stride += 4 * t) x = combine(x, in[stride]);\ns[t] = x;",
     "-s[t] = x;\n+for (; stride < n; stride += t) x = combine(x, in[stride]);\n+s[t] = x;\n", true, FIX_MISSING_STEP},
    {"for (unsigned i = t; i < n; i += 32) x = in[i];",
     "-for (unsigned i = t; i < n; i += 32) x = in[i];\n"
     "+for (unsigned i = t * ((n + 32 - 1) / 32); i < (t + 1) * ((n + 32 - 1) / 32) && i < n; i++) x = in[i];\n",
     true, FIX_NEIGHBORS},
    {"for (unsigned k = 0; k < stride; k++) x = in[k * 32 + t];",
     "-for (unsigned k = 0; k < stride; k++) x = in[k * 32 + t];\n"
     "+for (unsigned k = 0; k < stride; k++) x = in[t * stride + k];\n",
     true, FIX_NEIGHBORS},
    {"unsigned to = t + stride;\ns[t] = x;", "-s[t] = x;\n+if (to > gridDim.x) to = gridDim.x;\n+s[t] = x;\n", true,
     FIX_NO_GUARD},
    {"unsigned full = n / 8, rest = t;",
     "-unsigned full = n / 8, rest = t;\n+unsigned full = n / 8, rest = 8 * full + t;\n", true, FIX_INDEX},
    {"unsigned all = 2 * t, from = blockIdx.x * all, to = min(from + all, n);", /* n must not count as a new variable */
     "-unsigned all = 2 * t, from = blockIdx.x * all, to = min(from + all, n);\n"
     "+unsigned all = (n + gridDim.x - 1) / gridDim.x, from = blockIdx.x * all, to = min(from + all, n);\n",
     true, FIX_CHUNK},
    {"if (t < n || stride) t = 1;", "-if (t < n || stride) t = 1;\n+if (t < n && stride) t = 1;\n", true, FIX_GUARD},
    {"__shared__ bool last;\nif (t == 0) partial[0] = x;",
     "-if (t == 0) partial[0] = x;\n+if (t == 0 && last) partial[0] = x;\n", true, FIX_LAST_BLOCK},
    {"unsigned lane = t % 32;", "-unsigned lane = t % 32;\n+unsigned lane = blockIdx.x * blockDim.x + t;\n", false},
    {"unsigned left = n;", "-unsigned left = n;\n+unsigned left = n - stride;\n", true, FIX_INDEX},
    {"x = in[t + stride / 2];", "-x = in[t + stride / 2];\n+x = in[t + t];\n", true, FIX_INDEX},
    {"x = twice(in[t]);\nx = twice(x);", "-x = twice(in[t]);\n+x = twice(x);\n", true, FIX_ARGUMENT},
    {"if (combine(x, in[0])) return;\nif (combine(in[0], x)) return;",
     "-if (combine(x, in[0])) return;\n-if (combine(in[0], x)) return;\n"
     "+if (combine(in[0], x)) return;\n+if (combine(x, in[0])) return;\n",
     true, FIX_ORDER},
    {"__shared__ int last;\nunsigned place = atomicAdd(&t, 1);\nlast = blockIdx.x == 0;",
     "-last = blockIdx.x == 0;\n+last = place == gridDim.x - 1;\n", true, FIX_TICKET},
    {"if (t < n) x = combine(x, in[t]);\npartial[t] = x;",
     "-if (t < n) x = combine(x, in[t]);\n+if (stride < n) x = combine(x, in[stride]);\n", true, FIX_INDEX},
    {"x = t % 8 == 0 ? x : identity();", "-x = t % 8 == 0 ? x : identity();\n+x = t % 4 == 0 ? x : identity();\n",
     true},
    {"for (unsigned k = 0; k < 4; k++) x = combine(x, in[k]);",
     "-for (unsigned k = 0; k < 4; k++) x = combine(x, in[k]);\n+for (unsigned k = 0; k > 4; k++) x = combine(x, "
     "in[k]);\n",
     false},
    /* one mistake in two places */
    {"if (t < n) s[t] = x;\nif (n < t) s[t + n] = x;",
     "-if (t < n) s[t] = x;\n-if (n < t) s[t + n] = x;\n"
     "+s[t] = t < n ? x : identity();\n+s[t + n] = n < t ? x : identity();\n",
     true, FIX_IDENTITY},
    {"if (n) partial[t] = x;\nelse partial[t] = identity();",
     "-if (n) partial[t] = x;\n-else partial[t] = identity();\n"
     "+if (n) partial[blockIdx.x] = x;\n+else partial[blockIdx.x] = identity();\n",
     true, FIX_OUTPUT_PLACE},
    {"unsigned a = 2 * t, b = 2 * t + 1;",
     "-unsigned a = 2 * t, b = 2 * t + 1;\n+unsigned a = stride + 2 * t, b = stride + 2 * t + 1;\n", true, FIX_INDEX},
    /* braces and parentheses */
    {"while (n) {\nif (t) {\nx = in[n];\nn--;\n}\n}", "-n--;\n-}\n+}\n+n--;\n", true, FIX_BRACES},
    {"while (n) {\nn--;\n}\nx = in[n];", "-}\n-x = in[n];\n+x = in[n];\n+}\n", true, FIX_BRACES},
    {"unsigned i = 2 * (stride + t);", "-unsigned i = 2 * (stride + t);\n+unsigned i = 2 * stride + t;\n", true},
    {"if (t & stride - 1 == 0) x = in[t];",
     "-if (t & stride - 1 == 0) x = in[t];\n+if ((t & stride - 1) == 0) x = in[t];\n", true, FIX_PRECEDENCE},
    {"if (0 != t | 1) x = in[t];", "-if (0 != t | 1) x = in[t];\n+if (0 != (t | 1)) x = in[t];\n", true,
     FIX_PRECEDENCE},
    {"t = 1 << stride + t;", "-t = 1 << stride + t;\n+t = (1 << stride) + t;\n", true, FIX_PRECEDENCE},
    {"t = t + n << 1;", "-t = t + n << 1;\n+t = t + (n << 1);\n", true, FIX_PRECEDENCE},
    {"t = t + n << 1;\nstride = n + t << 2;",
     "-t = t + n << 1;\n-stride = n + t << 2;\n+t = t + (n << 1);\n+stride = n + (t << 2);\n", true, FIX_PRECEDENCE},
    {"while (t < n)\n    x = in[t];\n    t++;\n    stride++;\nt = 1;",
     "-while (t < n)\n-    x = in[t];\n-    t++;\n-    stride++;\n"
     "+while (t < n) {\n+    x = in[t];\n+    t++;\n+    stride++;\n+}\n",
     true, FIX_NO_BRACES},
    {"if (t < n) x = in[t]; t++;\nstride = t;", "-if (t < n) x = in[t]; t++;\n+if (t < n) { x = in[t]; t++;\n+}\n",
     true, FIX_NO_BRACES},
    {"if (t < n)\n    x = in[t];\nt++;",
     "-if (t < n)\n-    x = in[t];\n-t++;\n+if (t < n) {\n+    x = in[t];\n+t++;\n+}\n", false},
    /* arguments, indices and differences */
    {"x = __shfl_down_sync(1, x, t, 16);", "-x = __shfl_down_sync(1, x, t, 16);\n+x = __shfl_down_sync(1, x, t);\n",
     true, FIX_WIDTH},
    {"x = __shfl_down_sync(1, x, t, 16);", "-x = __shfl_down_sync(1, x, t, 16);\n+x = __shfl_down_sync(1, x, t, 0);\n",
     false},
    {"unsigned i = t * blockDim.x + blockIdx.x;",
     "-unsigned i = t * blockDim.x + blockIdx.x;\n+unsigned i = blockIdx.x * blockDim.x + t;\n", true, FIX_SWAPPED},
    {"t = min(n - t, stride);", "-t = min(n - t, stride);\n+t = min(n > t ? n - t : 0, stride);\n", true,
     FIX_UNDERFLOW},
    {"if (t < n - stride) x = in[t];", "-if (t < n - stride) x = in[t];\n+if (stride + t < n) x = in[t];\n", true,
     FIX_UNDERFLOW},
    {"x = in[t / (2 * stride)];", "-x = in[t / (2 * stride)];\n+x = in[t / stride];\n", true},
    {"unsigned M = blockDim.x;\nx = s[t];", "-x = s[t];\n+x = s[t + M];\n", true},
    {"for (unsigned k = n; k; k--) x = in[k];\nt >>= 1;",
     "-for (unsigned k = n; k; k--) x = in[k];\n+for (unsigned k = n; k; k >>= 1) x = in[k];\n", true, FIX_LOOP_STEP},
    /* statements */
    {"__shared__ bool last;\nif (!last) return;\n__syncthreads();",
     "-if (!last) return;\n-__syncthreads();\n+__syncthreads();\n+if (!last) return;\n", true, FIX_BARRIER_TOO_LATE},
    {"if (blockIdx.x == 0 && t == 0) partial[0] = x;",
     "-if (blockIdx.x == 0 && t == 0) partial[0] = x;\n+if (t == 0) partial[blockIdx.x] = x;\n", true, FIX_ONE_BLOCK},
    {"if (t == 0 && blockIdx.x == 0) partial[0] = x;",
     "-if (t == 0 && blockIdx.x == 0) partial[0] = x;\n+if (t == 0) partial[blockIdx.x] = x;\n", true, FIX_ONE_BLOCK},
    {"if (blockIdx.x == 0) partial[0] = x;",
     "-if (blockIdx.x == 0) partial[0] = x;\n+if (t == 0) partial[blockIdx.x] = x;\n", true, FIX_ONE_BLOCK},
    {"value_t y;\nx = y;", "-value_t y;\n+value_t y = identity();\n", true, FIX_UNSET},
    /* loops */
    {"for (unsigned k = stride; k < n; k++) x = combine(x, in[k]);",
     "-for (unsigned k = stride; k < n; k++) x = combine(x, in[k]);\n"
     "+for (unsigned k = stride + t; k < n; k += blockDim.x) x = combine(x, in[k]);\n",
     true, FIX_REPEATED},
    {"unsigned each = n / stride;\nfor (unsigned k = 0; k < each; k++) x = combine(x, in[k]);",
     "-unsigned each = n / stride;\n-for (unsigned k = 0; k < each; k++) x = combine(x, in[k]);\n"
     "+unsigned each = (n + stride - 1) / stride;\n"
     "+for (unsigned k = 0; k < each; k++) if (k < n) x = combine(x, in[k]);\n",
     true, FIX_ROUND_UP},
    {"for (unsigned j = t; j < n; j += stride) s[j] = combine(s[j], x);",
     "-for (unsigned j = t; j < n; j += stride) s[j] = combine(s[j], x);\n+if (t < n) s[t] = combine(s[t], x);\n", true,
     FIX_ONCE},
    {"for (; t < n; t++) x = combine(x, in[t]);\nt = stride;", "-t = stride;\n", true, FIX_SURPLUS},
    {"while (n) {\nif (n == 7) return;\nn--;\n}", "-if (n == 7) return;\n", true, FIX_SURPLUS},
    {"while (n) {\nx = combine(x, in[n]);\n}", "-x = combine(x, in[n]);\n+in[t] = x = combine(x, in[n]);\n", true,
     FIX_NOT_STORED},
    {"s[t] = x;\nwhile (n) {\nif (t < n) x = combine(x, s[n]);\n}",
     "-if (t < n) x = combine(x, s[n]);\n+if (t < n) s[t] = x = combine(x, s[n]);\n", true, FIX_NOT_STORED},
    {"x = __shfl_down_sync(0xffffffff, stride, x);",
     "-x = __shfl_down_sync(0xffffffff, stride, x);\n+x = __shfl_down_sync(0xffffffff, x, stride);\n", true,
     FIX_ARGUMENTS},
    {"value_t y = __shfl_up_sync(0xffffffff, x, 1);\nx = combine(y, x);",
     "-value_t y = __shfl_up_sync(0xffffffff, x, 1);\n-x = combine(y, x);\n"
     "+value_t y = __shfl_down_sync(0xffffffff, x, 1);\n+x = combine(x, y);\n",
     true, FIX_SHUFFLE},
    {"stride = n >> 1;", "-stride = n >> 1;\n+stride = (n + 1) >> 1;\n", true, FIX_ROUND_UP},
    {"unsigned i = stride + t;\nif (i < stride) s[t] = x;", "-if (i < stride) s[t] = x;\n+if (t < stride) s[t] = x;\n",
     true},
    {"if (t == 0) partial[0] = identity();", "-if (t == 0) partial[0] = identity();\n", true, FIX_SURPLUS},
    {"x = stride < n ? in[stride] : identity();",
     "-x = stride < n ? in[stride] : identity();\n+x = t < n ? in[t] : identity();\n", true, FIX_INDEX},
    {"x += half_to_float(x);", "-x += half_to_float(x);\n+x += x;\n", true, FIX_CONVERTED},
    {"for (unsigned i = stride + t; i < n; i += 32) {\nx = in[i];\n__syncthreads();\n}",
     "-for (unsigned i = stride + t; i < n; i += 32) {\n-x = in[i];\n"
     "+for (unsigned i = stride ; i < n; i += 32) {\n+x = (i + t < n ? in[i + t] : identity());\n",
     true, FIX_UNEVEN_LOOP},
    {"unsigned i = 2 * t;\nfor (; i < n; i += 32) x = in[i];\nif (i < stride) x = in[i];",
     "-if (i < stride) x = in[i];\n+if ((2 * t) < stride) x = in[(2 * t)];\n", true, FIX_ADVANCED},
    {"for (unsigned i = t; i < n; i += 32) x = in[i];",
     "-for (unsigned i = t; i < n; i += 32) x = in[i];\n"
     "+for (unsigned i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) x = in[i];\n",
     true, FIX_BLOCK_MISSING},
    {"unsigned tail = n % 4;", "-unsigned tail = n % 4;\n+unsigned tail = (n - stride) % 4;\n", true, FIX_REMAINDER},
    {"unsigned lane = t % 32;\nif (lane == 0) partial[0] = s[0];",
     "-if (lane == 0) partial[0] = s[0];\n"
     "+x = twice(lane < blockDim.x / 32 ? s[lane] : identity());\n+if (lane == 0) partial[0] = x;\n",
     true, FIX_MISSING_STEP},
    {"float c[4] = {0};\nwhile (n) {\nfloat c[4] = {0};\nn--;\n}", "-float c[4] = {0};\n", true, FIX_SHADOWED},
    {"unsigned i = stride + t;\nwhile (n) {\nif (t < n) {\nunsigned i = t;\nn = i;\n}\n}", "-unsigned i = t;\n", true,
     FIX_SHADOWED},
    /* other mistakes */
    {"for (unsigned k = 0; k < n; k++) partial[0] = combine(partial[0], in[k]);",
     "-for (unsigned k = 0; k < n; k++) partial[0] = combine(partial[0], in[k]);\n+partial[0] = identity();\n"
     "+for (unsigned k = 0; k < n; k++) partial[0] = combine(partial[0], in[k]);\n",
     true, FIX_NOT_WRITTEN},
    {"if (t < stride) { x = s[t]; x = __shfl_down_sync(0xffffffff, x, 1); }",
     "-if (t < stride) { x = s[t]; x = __shfl_down_sync(0xffffffff, x, 1); }\n"
     "+if (t < 32) { x = (t < stride ? s[t] : identity()); x = __shfl_down_sync(0xffffffff, x, 1); }\n",
     true, FIX_WARP_IN_BRANCH},
    {"s[t + 32] = x;", "-s[t + 32] = x;\n+if (t < 16) s[t + 32] = x;\n", true, FIX_NO_GUARD},
    {"if (t == 0) t = 1;", "-if (t == 0) t = 1;\n+if (t < 0) t = 1;\n", false},
    /* two loops that need the same guard */
    {"for (; t < n; t++) {\nif (t * 2 > n) break;\nx = in[t];\n}\nfor (; t < n; t++) {\ns[t] = x;\n}",
     "-s[t] = x;\n+if (t * 2 > n) break;\n+s[t] = x;\n", true, FIX_NO_GUARD},
    {"for (; t < n; t++) if (t * 2 > n) break;\nfor (; t < n; t++) s[t] = x;",
     "-for (; t < n; t++) s[t] = x;\n+for (; t < n; t++) { if (t * 2 > n) break; s[t] = x; }\n", true, FIX_NO_GUARD},
    {"for (; t < n; t++) if (t * 2 > n) break;\nfor (; t < n; t++) if (t > n) break;",
     "-for (; t < n; t++) if (t > n) break;\n+for (; t < n; t++) if (t * 2 > n) break;\n", true, FIX_GUARD},
    {"for (; t < n; t++) if (t * 2 > n) x = in[t];\nfor (; t < n; t++) s[t] = x;",
     "-for (; t < n; t++) s[t] = x;\n+for (; t < n; t++) if (t * 2 > n) s[t] = x;\n", true, FIX_NO_GUARD},
    /* numbers of threads and of elements */
    {"unsigned all = gridDim.x;", "-unsigned all = gridDim.x;\n+unsigned all = gridDim.x * blockDim.x;\n", true,
     FIX_BLOCK_INDEX},
    {"unsigned all = gridDim.x * blockDim.x;\nfor (unsigned v = t; v < n; v += 8 * blockDim.x) x = in[v];",
     "-for (unsigned v = t; v < n; v += 8 * blockDim.x) x = in[v];\n"
     "+for (unsigned v = t; v < n; v += 8 * all) x = in[v];\n",
     true, FIX_LOOP_STEP},
    {"enum { WIDTH = 4 };\nunsigned head = t, tail = n - stride * WIDTH;",
     "-unsigned head = t, tail = n - stride * WIDTH;\n+unsigned head = t, tail = head + stride * WIDTH;\n", true,
     FIX_INDEX},
    {"t = (n + stride) * 4;", "-t = (n + stride) * 4;\n+t = n + stride * 4;\n", true, FIX_INDEX},
    {"t = max(t, n);", "-t = max(t, n);\n+t = min(t, n);\n", true, FIX_INDEX},
    {"if (t < stride) s[t * 2] = x;", "-if (t < stride) s[t * 2] = x;\n+if (t * 2 < n) s[t * 2] = x;\n", true,
     FIX_GUARD},
    /* edits that no compiler accepts */
    {"t = twice<1>(t);", "-t = twice<1>(t);\n+t = twice <= 1>(t);\n", false},
    {"s[t] = x;", "-s[t] = x;\n+in[t] = x;\n", false},
    {"unsigned half = n;\nt = half;", "-unsigned half = n;\n", false},
    {"t = 1;\nenum { LATER = 2 };\nt = n / LATER;", "-t = 1;\n+t = LATER;\n", false}};
START_TEST(expected_edits_are_proposed) {
    char text[1000];
    struct source source;
    bool offered = false;
    snprintf(text, sizeof text,
             "__device__ value_t twice(value_t x) { return combine(x, x); }\n"
             "__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {\n"
             "extern __shared__ value_t s[];\nunsigned t = threadIdx.x, stride = n;\nvalue_t x = in[t];\n%s\n}\n",
             mends[_i].statements);
    ck_assert(source_parse(&source, text, false));
    struct edit_list list = {.source = &source};
    all_rules(&list);
    for (unsigned k = 0; k < list.count; k++) {
        char *diff = edit_diff(&source, &list.item[k]);
        offered |= !strcmp(diff, mends[_i].diff) && (!mends[_i].cause || list.item[k].cause == mends[_i].cause);
        if (getenv("SAY") && !strcmp(diff, mends[_i].diff)) printf("%s: %s", fix_causes[list.item[k].cause].key, diff);
        free(diff);
    }
    ck_assert_msg(offered == mends[_i].offered, "%s: %soffered", mends[_i].diff, offered ? "" : "not ");
    edit_list_free(&list);
    source_free(&source);
}
END_TEST
/* ---- many edits in one text ------------------------------------------------------------------------------------ */
static char *written(const struct source *source, const struct edit_list *list, unsigned *number) {
    struct edit **edit = calloc(list->count, sizeof *edit);
    bool *wanted = calloc(list->count, sizeof *wanted);
    char *text;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    for (unsigned k = 0; k < list->count; k++) edit[k] = &list->item[k], wanted[k] = true;
    ck_assert(choices_write(f, source, source->text, edit, list->count, wanted, false, number));
    fclose(f);
    free(edit), free(wanted);
    return text;
}
/* More than nine of ten edits fit into one text. There, each has a unique number and a file name, and brackets
 * match. */
START_TEST(most_edits_fit_into_one_text) {
    struct source source, all;
    ck_assert(source_parse(&source, kernel, false));
    struct edit_list list = {.source = &source};
    all_rules(&list);
    unsigned *number = calloc(list.count, sizeof *number), chosen = 0;
    bool *taken = calloc(list.count + 1, sizeof *taken);
    char *text = written(&source, &list, number);
    for (unsigned k = 0; k < list.count; k++) {
        char file[40];
        snprintf(file, sizeof file, "\"fix%u/reduce.cu\"", k);
        ck_assert_msg((strstr(text, file) != NULL) == (number[k] > 0), "edit %u: %u", k, number[k]);
        ck_assert(number[k] <= list.count && !(number[k] && taken[number[k]]));
        taken[number[k]] = true, chosen += number[k] > 0;
    }
    ck_assert_uint_gt(10 * chosen, 9 * list.count);
    ck_assert_msg(source_parse(&all, text, false), "brackets do not match:\n%s", text);
    ck_assert_ptr_nonnull(strstr(text, "partial[blockIdx.x] = s[0];"));
    source_free(&all), free(text), free(number), free(taken);
    edit_list_free(&list);
    source_free(&source);
}
END_TEST
/* An edit that replaces `from` with `to` may be chosen only if it replaces a whole statement or value. It must not cut
 * a statement with braces, nor change a type. */
static const struct {
    const char *from, *to;
    bool chosen;
} changes[] = {{"partial[blockIdx.x] = s[0];", "partial[0] = s[0];", true},
               {"partial[blockIdx.x] = s[0];", "", true},
               {"if (t == 0) atomicAdd(&ticket, 1);", "if (t == 0)", false},
               {"start = 2 * blockIdx.x * blockDim.x", "start = blockIdx.x", false},
               {"2 * blockIdx.x * blockDim.x", "blockIdx.x", true},
               {"unsigned t", "value_t t", false},
               {"stride > 0", "stride > 1", true},
               {"stride /= 2", "stride--", true},
               {"__device__ unsigned ticket;", "__device__ int ticket;", false}};
START_TEST(edits_replace_whole_statements) {
    struct source source;
    ck_assert(source_parse(&source, kernel, false));
    struct edit_list list = {.source = &source};
    const struct edit_part part = {(uint32_t)(strstr(kernel, changes[_i].from) - kernel),
                                   (uint32_t)strlen(changes[_i].from), (char *)changes[_i].to},
                           other = {(uint32_t)(strstr(kernel, "s[0];") - kernel), 4, (char *)"s[1]"};
    int32_t at = 0;
    while (source.token[at].at < part.at) at++;
    edit_add(&list, FIX_INDEX, 1, (struct range){at, at}, &part, 1);
    edit_add(&list, FIX_INDEX, 1, (struct range){at, at}, &other, 1); /* an edit that the text always includes */
    ck_assert_uint_eq(list.count, 2);
    unsigned number[2];
    char *text = written(&source, &list, number);
    ck_assert_msg((number[0] > 0) == changes[_i].chosen, "%s:\n%s", changes[_i].to, text);
    free(text);
    edit_list_free(&list);
    source_free(&source);
}
END_TEST
static const struct {
    const char *text;
    const char *solution, *other; /* the text that remains with SOLUTION, and without it */
} sides[] = {{"#ifdef SOLUTION\na\n#else\nb\n#endif\nc\n", "\na\n\n\n\nc\n", "\n\n\nb\n\nc\n"},
             {"#if X\na\n#else\nb\n#endif\n", "#if X\na\n#else\nb\n#endif\n", "#if X\na\n#else\nb\n#endif\n"},
             {"#ifndef SOLUTION\n#if X\na\n#endif\n#endif\nc", "\n\n\n\n\nc", "\n#if X\na\n#endif\n\nc"},
             {"#pragma unroll\nfor", "\nfor", "\nfor"}};
static void assert_blanked(const char *text, bool solution, const char *expected) {
    char *copy = strdup(text), *to = copy;
    source_blank(copy, solution);
    ck_assert_uint_eq(strlen(copy), strlen(text));
    for (const char *c = copy; *c; c++)
        if (*c != ' ' || (c > copy && c[-1] == 'f' && c[1] == 'X')) *to++ = *c; /* keep the space in the line `#if X` */
    *to = 0;
    ck_assert_str_eq(copy, expected);
    free(copy);
}
START_TEST(one_side_of_each_conditional_remains) {
    assert_blanked(sides[_i].text, true, sides[_i].solution);
    assert_blanked(sides[_i].text, false, sides[_i].other);
}
END_TEST

/* Matrix products: `body` has a mistake, and the rules must propose the edit `becomes`. */
static const struct {
    const char *body, *becomes;
    enum fix_cause cause;
} of_fragments[] = {
    {"unsigned b[2] = {1, 1}; float c[4] = {0, 0, 0, 0};",
     "b[2] = {pack_halves(0x3c00, 0x3c00), pack_halves(0x3c00, 0x3c00)}", FIX_FORMAT},
    {"unsigned one = 0x3f800000, b[2] = {one, one}; fragment a = {{0, 0, 0, 0}};", "one = pack_halves(0x3c00, 0x3c00)",
     FIX_FORMAT},
    {"float c[4] = {1, 0, 0, 0};", "float c[4] = {0, 0, 0, 0};", FIX_ZEROS},
    {"fragment a; if (lane < n) a = load_fragment(in);", "fragment a = {{0, 0, 0, 0}};", FIX_ZEROS},
    {"float c[4] = {0, 0, 0, 0}; if (lane == 0) sum = c[0];", "sum = c[0] + c[2];", FIX_FRAGMENT},
    {"float c[4] = {0, 0, 0, 0}; if (lane == 0) sum = c[0] + c[2];", "if (lane % 4 == 0) sum", FIX_FRAGMENT},
    {"float c[4] = {0, 0, 0, 0}; sum = c[0] + c[2];", "if (lane % 4 == 0) sum = c[0] + c[2];", FIX_ALL_LANES},
    {"fragment a; if (lane < n) matrix_multiply(c, a.word, b);", "fragment a; matrix_multiply(c, a.word, b);",
     FIX_PRODUCT_IN_BRANCH},
    {"fragment a; for (; i < n; i += 32) { matrix_multiply(c, a.word, b); }", "for (; i - lane < n; i += 32)",
     FIX_PRODUCT_IN_BRANCH},
    {"fragment a; unsigned b[2]; float c[4]; a = load_fragment(in + i);", "matrix_multiply(c, a.word, b);",
     FIX_MISSING_STEP},
    {"fragment a; a = load_fragment(in + i);", "if (i < n) a = load_fragment(in + i);", FIX_NO_GUARD},
    {"fragment a; a = load_fragment(in + i);", "in + 8 * i", FIX_INDEX},
    {"fragment a; unsigned b[2]; float c[4]; matrix_multiply(c, b, a.word);", "matrix_multiply(c, a.word, b);",
     FIX_FRAGMENT},
    {"fragment a; sum = in[i]; a = load_fragment(in);", "sum = half_to_float(in[i]);", FIX_HALF_BITS},
    {"sum = half_to_float(float_to_half(sum));", "sum = sum;", FIX_TYPE},
    {"float c[4]; c[0] = c[1] = 0; matrix_multiply(c, a.word, b);", "c[0] = c[0] + c[2];", FIX_FRAGMENT},
    {"value_t rest = in[i];", "return combine(sum, rest);", FIX_NOT_KEPT},
    {"for (; i < n; i += 32) {} value_t rest = in[i];", "rest = in[(threadIdx.x)];", FIX_SEQUENCE},
};
START_TEST(products_have_edits) {
    char *text, *now;
    ck_assert_int_gt(asprintf(&text,
                              "void matrix_multiply(float *c, const unsigned *a, const unsigned *b);\n"
                              "static __device__ value_t share(const half_t *in, unsigned n) {\n"
                              "    unsigned lane = threadIdx.x %% 32, i = threadIdx.x;\n"
                              "    value_t sum = identity();\n    %s\n    return sum;\n}\n",
                              of_fragments[_i].body),
                     0);
    struct source source;
    ck_assert(source_parse(&source, text, false));
    struct edit_list list = {.source = &source};
    bool found = false;
    rules_fragments(&list, 0);
    for (unsigned k = 0; k < list.count; k++) {
        ck_assert_ptr_nonnull(now = edit_apply(&source, &list.item[k]));
        found |= strstr(now, of_fragments[_i].becomes) && list.item[k].cause == of_fragments[_i].cause;
        free(now);
    }
    ck_assert_msg(found, "no edit gives `%s`", of_fragments[_i].becomes);
    edit_list_free(&list);
    source_free(&source);
    free(text);
}
END_TEST

/* Rules that follow calls must terminate even if functions call each other. */
START_TEST(functions_may_call_each_other) {
    char text[] = "__device__ int odd(int x, int d);\n"
                  "__device__ int even(int x, int d) { if (d == 0) return x; return odd(x, d - 1); }\n"
                  "__device__ int odd(int x, int d) { if (d == 0) return x; return even(x, d - 1); }\n";
    struct source source;
    ck_assert(source_parse(&source, text, false));
    struct edit_list list = {.source = &source};
    for (int32_t f = 0; f < source.functions; f++) rules_statements(&list, f);
    ck_assert_uint_gt(list.count, 0);
    edit_list_free(&list);
    source_free(&source);
}
END_TEST

START_TEST(one_kernel_of_two_gets_another_value) {
    const char *text =
        "__device__ void f() { int d = 2; }\n__global__ void a() { f(); }\n__global__ void b() { f(); }\n";
    struct source source;
    ck_assert(source_parse(&source, text, false));
    struct edit_list list = {.source = &source}, out = {.source = &source};
    edit_replace(&list, FIX_INDEX, 1, range_of(9), "4");
    ck_assert(edit_as_parameter(&out, list.item, "a"));
    char *now = edit_apply(&source, out.item);
    ck_assert_ptr_nonnull(strstr(
        now, "f(unsigned chosen) { int d = chosen; }\n__global__ void a() { f(4); }\n__global__ void b() { f(2); }"));
    free(now), edit_list_free(&list), edit_list_free(&out), source_free(&source);
}
END_TEST
int main(void) {
    Suite *suite = suite_create("fix");
    TCase *tcase = tcase_create("fix");
    add_rows(tcase, edits_use_only_taught_terms, 11, effort(1, 4));
    tcase_add_test(tcase, the_first_labs_get_these_causes);
    tcase_add_loop_test(tcase, expected_edits_are_proposed, 0, sizeof mends / sizeof *mends);
    tcase_add_loop_test(tcase, rules_use_terms_only_after_they_are_taught, 0, sizeof later / sizeof *later);
    tcase_add_test(tcase, most_edits_fit_into_one_text);
    tcase_add_loop_test(tcase, edits_replace_whole_statements, 0, sizeof changes / sizeof *changes);
    tcase_add_loop_test(tcase, one_side_of_each_conditional_remains, 0, sizeof sides / sizeof *sides);
    tcase_add_loop_test(tcase, products_have_edits, 0, sizeof of_fragments / sizeof *of_fragments);
    tcase_add_test(tcase, functions_may_call_each_other);
    tcase_add_test(tcase, one_kernel_of_two_gets_another_value);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
