/* Tests which edits are proposed for a compiler message. check_grade tests a whole run. */
/* run: sanitized */
/* reads: nothing */
#include "fix/build.h"
#include "tests/suite.h"
#include <check.h>
#include <stdlib.h>
#include <string.h>

#define KERNEL(body) "__global__ void reduce(const value_t *in, value_t *out, unsigned n) {\n" body "}\n"
/* text: a student's text; message, note: what the compiler says about it; edited: a text that one of the proposed
 * edits must contain; quote: the part of the student's text that this edit must quote, NULL for any. */
static const struct {
    const char *text;
    unsigned line, column;
    const char *message, *note, *edited, *quote;
} rows[] = {
    {KERNEL("    unsigned t = threadIdx.x // index\n    out[t] = 0;\n"), 3, 5, "expected a \";\"", "",
     "threadIdx.x; // index\n", "unsigned t = threadIdx.x"},
    {KERNEL("    unsigned t = threadIdx.x\n    out[t] = 0;\n"), 2, 29, "expected ';' at end of declaration", "",
     "threadIdx.x;\n", "unsigned t = threadIdx.x"},
    {KERNEL("    unsigned t threadIdx.x;\n"), 2, 16, "expected a \";\"", "", "t = threadIdx.x;", "unsigned t"},
    {KERNEL("    out[0] = combine(in[0], in[1];\n"), 2, 34, "expected a \")\"", "", "in[1]);", NULL},
    {KERNEL("    if n > 0) out[0] = in[0];\n"), 2, 8, "expected a \"(\"", "", "if( n > 0)", "if"},
    {KERNEL("    out[0 = in[0] + in[1];\n"), 2, 26, "expected a \"]\"", "", "out[0] = in[0]", "out[0"},
    {KERNEL("    if (n > 0)) out[0] = in[0];\n"), 2, 15, "expected an expression", "", "if (n > 0) out", ")"},
    {KERNEL("    for (unsigned k = 0; k < n; k++) {\n        out[k] = 0;\n    out[0] = 1;\n"), 6, 0, "expected a \"}\"",
     "", "out[k] = 0;\n    }\n    out[0]", "for (unsigned k = 0; k < n; k++) {"},
    {KERNEL("    if (n) {\n        out[0] = 1;\n    }\n        }\n    out[1] = 1;\n"), 6, 5, "expected a declaration",
     "", "    }\n        \n    out[1]", "}"},
    {KERNEL("    if (n); out[0] = 1; else out[1] = 1;\n"), 2, 25, "expected a statement", "", "if (n) out[0]",
     "if (n);"},
    {KERNEL("    for (unsigned k = 0; k < n, k++) out[k] = 0;\n"), 2, 36, "expected a \";\"", "", "k < n; k++", NULL},
    {KERNEL("    out[0] = in[blockdim.x];\n"), 2, 17, "identifier \"blockdim\" is undefined",
     "did you mean `blockDim`? Names are case-sensitive", "in[blockDim.x]", "blockdim"},
    {KERNEL("    out[0] = combine(in[0] + in[1]);\n"), 2, 35, "too few arguments in function call", "",
     "combine(in[0], in[1])", "combine(in[0] + in[1])"},
    {KERNEL("    out[0] = atomic_combine(&out[0], in[0]);\n"), 2, 14, "a value of type \"void\" cannot be assigned", "",
     "{\n    atomic_combine(", "atomic_combine"},
    {KERNEL("    out[0] = in[n / WARP_SIZE];\n"), 2, 21, "identifier \"WARP_SIZE\" is undefined", "", "n / warpSize",
     "WARP_SIZE"},
    {KERNEL("    out[0] = in[std::min(n, 3u)];\n"), 2, 17, "calling a constexpr __host__ function(\"min\")", "",
     "in[min(n, 3u)]", "std::min"},
    {KERNEL("    value_t y = new value_t();\n"), 2, 17, "a value of type \"value_t *\" cannot be used to initialize",
     "", "    value_t y;", "new value_t()"},
    {KERNEL("    if (n) {\n        out[0] = 1;\n    else out[1] = 1;\n"), 4, 5, "expected a statement", "",
     "    } else out[1]", "else"},
    {"__global__ value_t twice(value_t x) { return x; }\n" KERNEL("    out[0] = twice(in[0]);\n"), 1, 12,
     "a __global__ function must have a void return type", "", "__device__ value_t twice(", "__global__ value_t twice"},
    {KERNEL("    unsigned stride = 1;\n    out[0] = in[strid];\n"), 3, 17, "use of undeclared identifier 'strid'", "",
     "in[stride]", "strid"},
    {KERNEL("    for (k = 0; k < n; k++) out[k] = 0;\n"), 2, 10, "identifier \"k\" is undefined", "",
     "for (unsigned k = 0;", "k"},
    {KERNEL("    sum = identity();\n"), 2, 5, "identifier \"sum\" is undefined", "", "value_t sum = identity();",
     "sum"},
    {KERNEL("    i = threadIdx.x;\n"), 2, 5, "identifier \"i\" is undefined", "", "unsigned i = threadIdx.x;", "i"},
    {KERNEL("    out = in[0];\n"), 2, 9,
     "a value of type \"value_t\" cannot be assigned to an entity of type \"value_t *\"", "", "out[0] = in[0];",
     "out = in[0]"},
    {"static __device__ value_t combine(value_t a, value_t b) {\n    return a.index < b.index;\n}\n", 2, 20,
     "no suitable constructor exists to convert from \"bool\" to \"value_t\"", "", "< b.index ? a : b;",
     "return a.index < b.index"},
    {KERNEL("    size_t to = min((size_t)n + 1, n);\n"), 2, 17,
     "more than one instance of overloaded function \"min\" matches the argument list:", "", "n + 1, (size_t)n)",
     "min((size_t)n + 1, n)"},
    {KERNEL("    extern __shared__ value_t s[];\n    in[0] = out[0];\n    out[0] = s[0];\n"), 3, 5,
     "expression must be a modifiable lvalue", "", "    s[0] = out[0];", "in[0]"},
    {"static __device__ value_t share(const value_t *in, unsigned n) { return in[n]; }\n" KERNEL(
         "    out[0] = share(n, in);\n"),
     3, 20, "argument of type \"unsigned int\" is incompatible with parameter of type \"const value_t *\"", "",
     "share(in, n)", "share(n, in)"},
    {KERNEL("    out[0] = __shfl_down(in[0], 1);\n"), 2, 14, "identifier \"__shfl_down\" is undefined", "",
     "__shfl_down_sync(0xffffffff, in[0], 1)", "__shfl_down"},
    {KERNEL("    out[0] = __shfl_down_sync(in[0], 1);\n"), 2, 14, "too few arguments in function call", "",
     "__shfl_down_sync(0xffffffff, in[0], 1)", "__shfl_down_sync"},
    {KERNEL("    unsigned i = blockIdx * blockDim + threadIdx.x;\n"), 2, 18, "no operator \"*\" matches these operands",
     "", "blockIdx.x * blockDim.x + threadIdx.x", "blockIdx * blockDim"},
    {KERNEL("    unsigned t = threadIdx->x;\n"), 2, 18, "operator -> or ->* applied to \"const uint3\"", "",
     "threadIdx.x;", "threadIdx->x"},
    {"__global__ reduce(const value_t *in) {}\n", 1, 12, "explicit type is missing (\"int\" assumed)", "",
     "__global__ void reduce", "__global__"},
    {"static value_t twice(value_t x) { return x; }\n" KERNEL("    out[0] = twice(in[0]);\n"), 3, 14,
     "calling a __host__ function(\"twice(int)\") from a __global__ function(\"reduce\") is not allowed", "",
     "__device__ static value_t twice(", "static value_t twice"},
    {KERNEL("    value_t x = n ? in[0] : identity;\n"), 2, 20,
     "operand types are incompatible (\"value_t\" and \"value_t (*)()\")", "", ": identity();", "identity"},
    {KERNEL("    unsigned n = 3;\n"), 2, 14, "\"n\" has already been declared in the current scope", "", "    n = 3;",
     "unsigned n"},
    {KERNEL("    if (n + 1 = 3) out[0] = 1;\n"), 2, 9, "expression must be a modifiable lvalue", "", "n + 1 == 3",
     NULL},
    {KERNEL("    __shared__ value_t s[blockDim.x];\n"), 2, 26, "expression must have a constant value", "",
     "extern __shared__ value_t s[];", "s"},
    {KERNEL("    value_t *p = in;\n"), 2, 18,
     "a value of type \"const value_t *\" cannot be used to initialize an entity of type \"value_t *\"", "",
     "const value_t *p", "p"},
    {KERNEL("    if n > 1 out[0] = in[0];\n"), 2, 8, "expected a \"(\"", "", "if (n > 1) out", "if n > 1"},
    {KERNEL("    unsigned t = 1,\n    unsigned u = 2;\n"), 3, 5, "expected an identifier", "", "t = 1;\n",
     "unsigned t = 1,"},
    {KERNEL("    for (unsigned i = 1; i < n; i++) out[i] = 0;\n    out[0] = i;\n"), 3, 14,
     "identifier \"i\" is undefined", "", "    unsigned i = 1;\n    for (; i < n; i++) out[i]", "i"},
    {KERNEL("    if (n) {\n        if (n > 1) {\n            value_t x = in[0];\n        }\n    }\n    out[0] = x;\n"),
     7, 14, "identifier \"x\" is undefined", "",
     "    value_t x = identity();\n    if (n) {\n        if (n > 1) {\n            x = in[0];", "x"},
    {KERNEL("    bool a = std::isnan(in[0].value);\n"), 2, 14,
     "calling a constexpr __host__ function(\"isnan\") from a __device__ function", "",
     "a = (in[0].value != in[0].value);", "std::isnan(in[0].value)"},
    {KERNEL("    out[0] = in[2n];\n"), 2, 18, "user-defined literal operator not found", "", "in[2 * n]", "2n"},
    {KERNEL("    __shared__ bool last = false;\n"), 2, 5, "initializer not allowed for __shared__ variable", "",
     "__shared__ bool last;", "last = false"},
    {KERNEL("    out[0] = value_t(1, n);\n"), 2, 22,
     "no suitable constructor exists to convert from \"scalar_t\" to \"value_t\"", "", "value_t{1, n}",
     "value_t(1, n)"},
    {KERNEL("    out[0] = reduce(in[0], f(n, 1));\n"), 2, 28, "too many arguments in function call", "",
     "= reduce(in[0]);", "reduce(in[0], f(n, 1))"},
    {KERNEL("    atomicAdd(&out[0], in[0]);\n"), 2, 5, "no instance of overloaded function \"atomicAdd\" matches", "",
     "atomic_combine(&out[0], in[0])", "atomicAdd"},
    {KERNEL("    cudaMemset(&ticket, 0, sizeof(ticket));\n"), 2, 5, "calling a __host__ function(\"cudaMemset\")", "",
     "    ticket = 0;", NULL},
    {KERNEL("    value_t a, b;\n    if (a == b) return;\n"), 3, 11, "no operator \"==\" matches these operands", "",
     "a.value == b.value", "a == b"},
    {KERNEL("    half h = __float2half(1.0f);\n"), 2, 5, "identifier \"half\" is undefined", "", "half_t h", "half"},
    {KERNEL("    for (unsigned k = n; k > 1; k = half) {\n        unsigned half = k / 2;\n        out[k] = half;\n    "
            "}\n"),
     2, 37, "identifier \"half\" is undefined", "",
     "    unsigned half;\n    for (unsigned k = n; k > 1; k = half) {\n        half = k / 2;", "half"},
    {KERNEL("    unsigned tid = threadIdx.x;\n    if (t == 0) out[0] = 1;\n"), 3, 9, "identifier \"t\" is undefined",
     "", "if (tid == 0)", "t"},
    {KERNEL("    extern __shared__ value_t cache[];\n    out[0] = s[0];\n"), 3, 14, "identifier \"s\" is undefined", "",
     "out[0] = cache[0];", "s"},
    {KERNEL("    n = cluster.size();\n"), 2, 17, "class \"cluster_group\" has no member \"size\"", "",
     "cluster.num_blocks()", "size"},
    {KERNEL("    out[0] = min(n + 1 in[0]);\n"), 2, 24, "expected a \")\"", "", "min(n + 1, in[0])", "1 in"},
    {KERNEL("    if (n threadIdx.x) out[0] = 1;\n"), 2, 11, "expected a \")\"", "", "(n < threadIdx.x)", "n threadIdx"},
    {KERNEL("    unsigned i = 2 n;\n"), 2, 20, "expected a \";\"", "", "2 * n;", "2 n"},
    {KERNEL("    unsigned i = n threadIdx.x;\n"), 2, 20, "expected a \";\"", "", "n + threadIdx.x;", "n threadIdx"},
    {KERNEL("    out[0] = 1; /* the first\n"), 2, 17, "comment unclosed at end of file", "", "/* the first */\n",
     "/* the first"},
    {"#include \"reduce.h\n", 1, 10, "expected a file name", "", "\"reduce.h\"\n", "\"reduce.h"},
    {KERNEL("    printf(\"%d\\n, n);\n"), 2, 12, "missing closing quote", "", "\"%d\\n\", n);\n", "\"%d\\n, n);"},
    {KERNEL("    auto all = cg::this_grid();\n    all_sync();\n"), 3, 5, "identifier \"all_sync\" is undefined", "",
     "all.sync();", "all_sync"},
    {KERNEL("    out[0] = in[0].val;\n"), 2, 20, "class \"value_t\" has no member \"val\"", "", "in[0].value;", "val"},
    {KERNEL("    out[blockIdx.w] = in[0];\n"), 2, 18, "class \"uint3\" has no member \"w\"", "", "blockIdx.x", "w"},
    {"struct pair { unsigned low, high[2]; };\n" KERNEL("    use(p);\n"), 3, 9,
     "no suitable conversion function from \"pair\" to \"const unsigned int *\" exists", "", "use(p.high)", "p"},
    {KERNEL("    const vector *v = in + n;\n"), 2, 23,
     "a value of type \"const value_t *\" cannot be used to initialize an entity of type \"const vector *\"", "",
     "v = (const vector *)(in + n);", "in + n"},
    {KERNEL("    return in[0];\n"), 2, 12, "return value type does not match the function type", "",
     "    out[0] = in[0];\n", "return in[0]"},
    {KERNEL("    return in[0];\n"), 2, 5, "void function 'reduce' should not return a value", "",
     "    out[0] = in[0];\n", "return in[0]"},
    {KERNEL("    load(in[n]);\n"), 2, 10,
     "argument of type \"value_t\" is incompatible with parameter of type \"const value_t *\"", "", "load(&in[n])",
     "in[n]"},
    {KERNEL("    atomicAdd(out[0], 1);\n"), 2, 5, "no instance of overloaded function \"atomicAdd\" matches", "",
     "atomicAdd(&out[0], 1)", "atomicAdd(out[0], 1)"},
    {KERNEL("    if (n > 0)\n        out[0] = 1;\n        out[1] = 1;\n    }\n    out[2] = 1;\n"), 6, 5,
     "expected a declaration", "", "    if (n > 0) {\n", "if (n > 0)"},
    {"__device__ value_t twice(value_t x) {\n    return {2 * x.value, x.index;\n}\n", 2, 34, "expected a \"}\"", "",
     "x.index};", NULL},
    {"__device__ value_t f(value_t *s, int lane) {}\n" KERNEL("    int lane = 0;\n    out[0] = f(out);\n"), 4, 19,
     "too few arguments in function call", "", "f(out, lane)", "f"},
    {KERNEL("    n = cluster.rank();\n"), 2, 17, "class \"cluster_group\" has no member \"rank\"", "",
     "cluster.block_rank()", "rank"},
    {KERNEL("    unsigned f[4];\n    if (n) f = load_fragment(in);\n    else f[0] = 0;\n    use(f);\n"), 3, 12,
     "expression must be a modifiable lvalue", "",
     "fragment f;\n    if (n) f = load_fragment(in);\n    else f.word[0] = 0;\n    use(f.word);", "unsigned f[4]"},
    {KERNEL("    out[0] = in[n].idx;\n"), 2, 20, "class \"value_t\" has no member \"idx\"", "", "in[n].index;", "idx"},
    {KERNEL("    n = n / T;\n"), 2, 13, "identifier \"T\" is undefined",
     "in the handouts, T stands for a * b: write a * b", "n / (a * b);", "T"},
    {KERNEL("    value_t x = 0;\n"), 2, 17, "no suitable constructor exists to convert from \"int\" to \"value_t\"", "",
     "value_t x = identity();", "value_t x = 0"},
    {KERNEL("    fragment x = 0;\n"), 2, 18, "no viable conversion from 'int' to 'fragment'", "", "fragment x = {};",
     "fragment x = 0"},
    {"__device__ value_t all(value_t x, vector v) { return x; }\n" KERNEL("    out[0] = combine(out[0], v);\n"), 3, 30,
     "no suitable conversion function from \"vector\" to \"value_t\" exists", "", "out[0] = all(out[0], v);",
     "combine"},
    {KERNEL("    return __shfl_down_sync(~0u, x, 1);\n"), 2, 12,
     "no instance of overloaded function \"__shfl_down_sync\" matches the argument list", "",
     "x.value = __shfl_down_sync(~0u, x.value, 1); x.index = __shfl_down_sync(~0u, x.index, 1); return x;", NULL},
    {KERNEL("    value_t y = __shfl_sync(~0u, x, 1);\n"), 2, 17, "no matching function for call to '__shfl_sync'", "",
     "value_t y; y.value = __shfl_sync(~0u, x.value, 1); y.index = __shfl_sync(~0u, x.index, 1);", NULL},
    {KERNEL("    out[0] = c.map_shared_rank(s[0], 1);\n"), 2, 32,
     "no instance of function template \"cluster_group::map_shared_rank\" matches the argument list", "",
     "out[0] = *c.map_shared_rank(&s[0], 1);", "map_shared_rank(s[0], 1)"},
    {KERNEL("    cudaDeviceSynchronize();\n"), 2, 0,
     "calling a __host__ function(\"cudaDeviceSynchronize\") from a __global__ function(\"reduce\") is not allowed", "",
     "    __syncthreads();", "cudaDeviceSynchronize()"},
    {KERNEL("    unsigned m = in.length;\n"), 2, 18,
     "expression must have class type but it has type \"const value_t *\"", "", "m = n;", "in.length"},
    {KERNEL("    unsigned m = in.size();\n"), 2, 20, "member reference type 'const value_t *' is a pointer", "",
     "m = n;", "in.size()"},
    {KERNEL("    unsigned m = len(in);\n"), 2, 18, "identifier \"len\" is undefined", "", "m = n;", "len(in)"},
    {KERNEL("    for i in range(n, f(n, 2), 3): out[i] = 0;\n"), 2, 9, "expected a \"(\"", "",
     "    for (unsigned i = n; i < f(n, 2); i += 3) out[i] = 0;", "for i in range(n, f(n, 2), 3):"},
    {KERNEL("    for i in range(n): out[i] = 0;\n"), 2, 9, "expected a \"(\"", "",
     "for (unsigned i = 0; i < n; i += 1) out[i]", NULL},
    {KERNEL("    return r.value, r.index;\n"), 2, 12, "no suitable constructor exists to convert from \"unsigned int\"",
     "", "return r;", "return r.value, r.index"},
    {KERNEL("    return f(r, 1), n;\n"), 2, 12, "no suitable constructor exists to convert from \"unsigned int\"", "",
     "return {f(r, 1), n};", "return f(r, 1), n"},
    {KERNEL("    out[0] = in[0];\n"), 1, 23, "identifier \"value_t\" is undefined",
     "value_t comes from #include \"reduce.h\", which must precede its first use",
     "#include \"reduce.h\"\n__global__ void reduce", "value_t"},
    {KERNEL("    if (n) out[0] = 1;\n    ELSE out[0] = 2;\n"), 3, 5, "identifier \"ELSE\" is undefined", "",
     "    else out[0] = 2;", "ELSE"},
    {KERNEL("    unsigned k = 0;\n    while (k < n) {\n        out[0] = in[i];\n        k++;\n    }\n"), 4, 21,
     "identifier \"i\" is undefined", "", "in[k];", "i"},
    {KERNEL("    for (int d = 16; d > 0; d /= 2) f(d);\n    out[0] = in[d];\n"), 3, 17, "identifier \"d\" is undefined",
     "", "= in[0];", "d"},
    {KERNEL("    __shared__ value_t s[];\n"), 2, 24, "incomplete type \"value_t []\" (aka \"int []\") is not allowed",
     "", "extern __shared__ value_t s[];", "s"},
    {KERNEL("    if n == 0: // empty\n        out[0] = 0;\n\n        out[1] = 0;\n    else:\n        out[1] = n;\n"), 2,
     8, "expected a \"(\"", "",
     "    if (n == 0) { // empty\n        out[0] = 0;\n\n        out[1] = 0;\n    }\n    else {\n        out[1] = n;\n "
     "   }\n}\n",
     "if n == 0:"},
    {KERNEL("    while n > 1:\n        n /= 2;\n"), 2, 11, "expected '(' after 'while'", "",
     "    while (n > 1) {\n        n /= 2;\n    }\n", "while n > 1:"},
    {KERNEL("    half one = 1.0;\n"), 2, 5, "identifier \"half\" is undefined", "", "half_t one = float_to_half(1.0);",
     "half one = 1.0"},
    {KERNEL("    unsigned t = threadIdx.x;\n    unsigned start = blockDim.x * blockIdx.x;\n    out[i] = in[i + n];\n"),
     4, 9, "identifier \"i\" is undefined", "", "blockIdx.x;\n    unsigned i = start + t;\n    out[i]", "i"},
    {"struct quad { unsigned first; value_t x[4]; };\n" KERNEL("    quad a = {};\n    out[0] = a[n];\n"), 4, 15,
     "no operator \"[]\" matches these operands", "", "= a.x[n];", "a"},
    {KERNEL("    for (unsigned pos = 0; pos < n; pos++) out[0] = in[j];\n"), 2, 56, "identifier \"j\" is undefined", "",
     "in[pos];", "j"},
    {KERNEL("    extern __shared__ value_t s[2 * blockDim.x];\n"), 2, 33, "expression must have a constant value", "",
     "extern __shared__ value_t s[];", "s"},
    {"struct vector { value_t x[4]; };\n" KERNEL("    const vector *v = (vector)(in + 1);\n"), 3, 31,
     "no suitable constructor exists to convert from \"const value_t *\" to \"vector\"", "", "(vector *)(in + 1);",
     "(vector)"},
    {KERNEL("    value_t sums = out + n;\n    sums[0] = in[0];\n"), 2, 20,
     "a value of type \"value_t *\" (aka \"int *\") cannot be used to initialize an entity of type \"value_t\"", "",
     "value_t *sums = out", "value_t sums"},
};
static json_t *error_of(unsigned k) {
    return json_pack("{s:i, s:i, s:s, s:s}", "line", (int)rows[k].line, "column", (int)rows[k].column, "message",
                     rows[k].message, "note", rows[k].note);
}
START_TEST(an_edit_corrects_the_error) {
    struct build_edits list = {0};
    struct source source;
    json_t *error = error_of((unsigned)_i);
    source_parse(&source, rows[_i].text, false);
    build_propose(&list, &source, error);
    const struct build_edit *found = NULL;
    for (unsigned k = 0; k < list.count && !found; k++)
        if (strstr(list.item[k].text, rows[_i].edited)) found = &list.item[k];
    ck_assert_msg(found != NULL, "`%s`: none of %u edits has `%s`; the first one is\n%s", rows[_i].message, list.count,
                  rows[_i].edited, list.count ? list.item[0].text : "");
    if (rows[_i].quote) ck_assert_str_eq(found->quote, rows[_i].quote);
    build_edits_free(&list), source_free(&source), json_decref(error);
}
END_TEST
/* A text may end anywhere, even before the position of the error. */
START_TEST(cut_texts_are_handled) {
    char text[400];
    for (size_t n = 0; n <= strlen(rows[_i].text); n++) {
        struct build_edits list = {0};
        struct source source;
        json_t *error = error_of((unsigned)_i);
        snprintf(text, sizeof text, "%.*s", (int)n, rows[_i].text);
        source_parse(&source, text, false);
        build_propose(&list, &source, error);
        build_edits_free(&list), source_free(&source), json_decref(error);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fix_build");
    TCase *tcase = tcase_create("fix_build");
    tcase_add_loop_test(tcase, an_edit_corrects_the_error, 0, sizeof rows / sizeof *rows);
    tcase_add_loop_test(tcase, cut_texts_are_handled, 0, sizeof rows / sizeof *rows);
    suite_add_tcase(suite, tcase);
    return suite_failures(suite) != 0;
}
