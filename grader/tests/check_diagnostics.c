/* Tests how compiler messages are shown to students. */
/* run: sanitized */
/* reads: nothing */
#include "compile/diagnostics.h"
#include "tests/suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const char source[] = "#include \"reduce.h\"\n"
                             "__global__ void reduce(value_t *out, const value_t *in, unsigned n) {\n"
                             "    __syncthreads;\n"
                             "    if (t = 0) STEP(s[t]);\n"
                             "}\n";
static const struct diagnosed d = {
    .folder = "/tmp/grade-1", .root = "/kit", .shown = "labs/lab3/reduce.cu", .source = source};

/* Output of nvcc or clang, a text that the student must see (`with`), and a text that the student must not see
 * (`without`). */
static const struct {
    const char *output, *with, *without;
} errors[] = {
    {"/tmp/grade-1/reduce.cu(2): error: identifier \"valuet\" is undefined\n"
     "  __attribute__((global)) void reduce(value_t *out, const value_t *in, unsigned n) {\n"
     "                                      ^\n\n1 error detected in the compilation of \"/tmp/grade-1/unit.cu\".\n",
     "labs/lab3/reduce.cu(2): error: identifier \"valuet\" is undefined\n"
     "  __global__ void reduce(value_t *out, const value_t *in, unsigned n) {\n"
     "                         ^\n  = did you mean `value_t`?",
     "grade-1"},
    {"/tmp/grade-1/reduce.cu(4): error: expected a \";\"\n  if (t = 0) (s[t] += 1);\n                  ^\n",
     "  if (t = 0) STEP(s[t]);\n", "+= 1"},
    {"/tmp/grade-1/reduce.cu(3): error: no instance of \"sum_i32::f\"\n", "of \"f\"", "sum_i32"},
    {"/tmp/grade-1/reduce.cu(3): error: x\n\nRemark: The warnings can be suppressed with \"-diag-suppress\"\n", ": x\n",
     "Remark"},
    {"/kit/common/reduce.h(7): error: odd\n", "common/reduce.h(7)", "/kit"},
    {"At end of source: error: expected a \"}\"\n", "= a { has no matching }", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"__syncThreads\" is undefined\n", "`__syncthreads`?", NULL},
    {"/tmp/grade-1/reduce.cu:3:5: error: use of undeclared identifier '__syncThreads'; did you mean "
     "'__syncthreads'?\n    __syncThreads();\n    ^\n",
     "= did you mean `__syncthreads`?", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"threadidx\" is undefined\n", "`threadIdx`?", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"blockDimx\" is undefined\n", "`blockDim.x`?", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"i\" is undefined\n", "no declaration of `i` is visible", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"tree\" is undefined in device code\n", "", "no declaration"},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"M\" is undefined\n", "M stands for blockDim.x",
     "check the spelling"},
    {"/tmp/grade-1/reduce.cu(3): error: a value of type \"value_t (*)()\" (aka \"int (*)()\") cannot be used to "
     "initialize an entity of type \"value_t\" (aka \"int\")\n",
     "needs parentheses", "address"},
    {"/tmp/grade-1/reduce.cu:3:13: error: cannot initialize a variable of type 'value_t' (aka 'int') with an lvalue of "
     "type 'value_t ()' (aka 'int ()')\n",
     "needs parentheses", "address"},
    {"/tmp/grade-1/reduce.cu(3): error: no instance of overloaded function \"__shfl_down_sync\" matches the argument "
     "list\n",
     "members of a struct", NULL},
    {"/tmp/grade-1/reduce.cu:3:5: error: no matching function for call to '__shfl_down_sync'\n", "members of a struct",
     NULL},
    {"/tmp/grade-1/reduce.cu(3): error: argument of type \"value_t *\" is incompatible with parameter of type "
     "\"value_t\"\n",
     "order of the arguments", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: argument of type \"float *\" is incompatible with parameter of type \"const "
     "unsigned int *\"\n",
     "elements of a different type", "pass an address"},
    {"/tmp/grade-1/reduce.cu:3:24: error: no matching function for call to "
     "'matrix_multiply'\n/tmp/grade-1/tensor.h:9:1: "
     "note: candidate function not viable: no known conversion from 'float[2]' to 'const unsigned int *' for 3rd "
     "argument\n",
     "elements of a different type", "pass an address"},
    {"/tmp/grade-1/reduce.cu(3): error: argument of type \"const value_t *\" is incompatible with parameter of type "
     "\"value_t *\"\n",
     "read-only", "pass an address"},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"combine\" is undefined\n", "#include \"reduce.h\"", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: expected a \";\"\n", "semicolon", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: expected a \";\"\n  for (int i = 0; i < n, i++) f();\n                         "
     "   ^\n",
     "header of a for", "may be missing"},
    {"/tmp/grade-1/reduce.cu(3): error: expected a \";\"\n  for (int i = 0; i < n; i++) f();\n  ^\n", "may be missing",
     "header of a for"},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"__shfl_down\" is undefined\n", "`__shfl_down_sync`?",
     "case-sensitive"},
    {"/tmp/grade-1/reduce.cu(3): error: calling a constexpr __host__ function(\"min\") is not allowed. The "
     "experimental "
     "flag '--expt-relaxed-constexpr' can be used to allow this.\n",
     "without std::", "experimental"},
    {"/tmp/grade-1/reduce.cu(3): error: calling a constexpr __host__ function(\"isnan\") from a __device__ function "
     "is not allowed.\n",
     "float or a double", "std::"},
    {"/tmp/grade-1/reduce.cu(3): error: \"i\" has already been declared in the current scope\n  for (int i = 0, i < n; "
     "i++) f();\n",
     "header of a for", "leave out the type"},
    {"/tmp/grade-1/reduce.cu:3:31: error: expected ';' in 'for' statement specifier\n", "header of a for", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: a value of type \"const char *\" cannot be used to initialize an entity of "
     "type "
     "\"unsigned int\"\n",
     "without quotes", "address"},
    {"/tmp/grade-1/reduce.cu:3:14: error: cannot initialize a variable of type 'unsigned int' with an lvalue of type "
     "'const char[4]'\n",
     "without quotes", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: no instance of overloaded function \"atomicAdd\" matches the argument list\n",
     "address of a variable", NULL},
    {"/tmp/grade-1/reduce.cu:3:5: error: no matching function for call to 'atomicAdd'\n", "address of a variable",
     NULL},
    {"/tmp/grade-1/reduce.cu(3): error: no instance of overloaded function \"atomicAdd\" matches the argument list\n"
     "        argument types are: (value_t *, value_t)\n",
     "exists only for some types", "address of a variable"},
    {"/tmp/grade-1/reduce.cu(3): error: no suitable constructor exists to convert from \"scalar_t\" (aka \"int\") to "
     "\"value_t\"\n",
     "a whole struct is expected", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: no suitable conversion function from \"fragment\" to \"const unsigned int *\" "
     "exists\n",
     "use one of its members", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: expression must be a modifiable lvalue\n", "must be writable", NULL},
    {"/tmp/grade-1/reduce.cu:3:9: error: read-only variable is not assignable\n", "must be writable", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: a __global__ function call must be configured\n", "__device__ function", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: a value of type \"value_t *\" (aka \"int *\") cannot be assigned to an entity "
     "of "
     "type \"value_t\" (aka \"int\")\n",
     "holds an address", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: a value of type \"value_t\" (aka \"int\") cannot be assigned to an entity of "
     "type \"value_t *\" (aka \"int *\")\n",
     "holds an address", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: a value of type \"double\" cannot be assigned to an entity of type \"int\"\n",
     "cannot be", "address"},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"shared\" is undefined\n", "`__shared__`?", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"synchthreads\" is undefined\n", "`__syncthreads`?", NULL},
    {"/tmp/grade-1/reduce.cu(2): error: expected a \";\"\n  __attribute__((global)) void reduce(value_t *out) {\n"
     "                                                    ^\n",
     "a } may be missing above", "semicolon"},
    {"/tmp/grade-1/reduce.cu:2:70: error: function definition is not allowed here\n", "a } may be missing above", NULL},
    {"/tmp/grade-1/reduce.cu(1): catastrophic error: cannot open source file \"a.h\"\n",
     "there is no header with this name", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: namespace \"std\" has no member \"cout\"\n", "call printf()", NULL},
    {"/tmp/grade-1/reduce.cu:3:5: error: use of undeclared identifier 'std'\n", "call printf()", NULL},
    {"/tmp/grade-1/reduce.cu:3:5: error: builtin functions must be directly called\n", "needs parentheses", NULL},
    {"/tmp/grade-1/reduce.cu:3:15: error: invalid operands to binary expression ('unsigned int' and 'double')\n",
     "must be integers", NULL},
    {"/tmp/grade-1/reduce.cu:3:5: error: reference to __global__ function 'reduce' in __global__ function\n",
     "only the host launches kernels", NULL},
    {"/tmp/grade-1/reduce.cu:3:44: error: no matching function for call to 'identity'\n"
     "common/reduce.h:161:43: note: candidate function not viable: call to __device__ function from __host__ "
     "function\n",
     "put __global__ before a kernel", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: kernel launch from __device__ or __global__ functions requires separate "
     "compilation mode\n",
     "only the host launches kernels", NULL},
    {"/tmp/grade-1/reduce.cu:3:50: error: extended character - is not valid in an identifier\n", "type it again", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: unrecognized token\n", "type it again", NULL},
    {"/tmp/grade-1/reduce.cu:3:9: error: unexpected character <U+2013>\n", "type it again", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: device-side kernel launch could not be processed as the required runtime APIs "
     "are not declared\n",
     "only the host launches kernels", NULL},
    {"/tmp/grade-1/reduce.cu(2): error: A function without execution space annotations "
     "(__host__/__device__/__global__) is considered a host function\n",
     "put __global__ before a kernel", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: no suitable conversion function from \"const uint3\" to \"unsigned int\" "
     "exists\n",
     "use their member .x", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: calling a __host__ function(\"cudaDeviceSynchronize\") from a __global__ "
     "function(\"reduce\") is not allowed\n",
     "__syncthreads() waits", "put __device__"},
    {"/tmp/grade-1/reduce.cu(3): error: calling a __host__ function(\"cudaMemcpy\") from a __global__ "
     "function(\"reduce\") is not allowed\n",
     "is for the CPU", "put __device__"},
    {"/tmp/grade-1/reduce.cu(3): error: calling a __host__ function(\"twice(int)\") from a __global__ "
     "function(\"reduce\") is not allowed\n",
     "put __device__", "cuda"},
    {"/tmp/grade-1/reduce.cu(3): error: expected a \"(\"\n  for i in range(t, n): f(i);\n      ^\n", "a Python loop",
     "must be in parentheses"},
    {"/tmp/grade-1/reduce.cu(3): error: expected a \"(\"\n  for unsigned i = 0; i < n; i++\n      ^\n",
     "must be in parentheses", "Python"},
    {"/tmp/grade-1/reduce.cu(3): error: expression must have class type but it has type \"const value_t *\"\n"
     "  while (i < in.length) i++;\n                ^\n",
     "a pointer has no length", NULL},
    {"/tmp/grade-1/reduce.cu:3:15: error: member reference base type 'const value_t *' is a pointer; did you mean to "
     "use '->'?\n    unsigned m = in.size();\n",
     "a pointer has no length", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: expression must have class type but it has type \"const value_t *\"\n"
     "  value_t a = in.value;\n",
     "a pointer has no members", "length"},
    {"/tmp/grade-1/reduce.cu(3): error: expression must have class type but it has type \"value_t\" (aka \"int\")\n",
     "only a struct has members", "pointer"},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"print\" is undefined\n", "C prints with printf()", "visible here"},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"elif\" is undefined\n", "else if", "visible here"},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"len\" is undefined\n", "C has no len()", "visible here"},
    {"/tmp/grade-1/reduce.cu(3): warning #940-D: missing return statement at end of non-void function \"f\"\n",
     "ends without returning one", NULL},
    {"/tmp/grade-1/reduce.cu:3:1: warning: non-void function does not return a value [-Wreturn-type]\n",
     "ends without returning one", NULL},
    {"/tmp/grade-1/reduce.cu(3): warning #174-D: expression has no effect\n      return r.value, r.index;\n", "",
     "a call needs parentheses"},
    {"/tmp/grade-1/reduce.cu(3): error: no operator \"/\" matches these operands\n"
     "            operand types are: const dim3 / int\n",
     "use their member .x", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: incomplete type \"value_t []\" (aka \"int []\") is not allowed\n",
     "write extern before", NULL},
    {"/tmp/grade-1/reduce.cu:3:24: error: definition of variable with array type needs an explicit size or an "
     "initializer\n",
     "write extern before", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: no operator \"[]\" matches these operands\n            operand types are: "
     "vector [ "
     "unsigned int ]\n",
     "a.x[k]", NULL},
    {"/tmp/grade-1/reduce.cu:3:15: error: type 'vector' does not provide a subscript operator\n", "a.x[k]", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: expression must be a modifiable lvalue\n      in[n] = f(in[n]);\n      ^\n",
     "the declaration of `in` contains const", "To compare"},
    {"/tmp/grade-1/reduce.cu:3:11: error: read-only variable is not assignable\n    in[n] = f(in[n]);\n    ~~~~~ ^\n",
     "the declaration of `in` contains const", "To compare"},
    {"/tmp/grade-1/reduce.cu(3): error: expression must be a modifiable lvalue\n      if (n) out[0] = f(in[n]);\n      "
     "       ^\n",
     "must be writable", "To compare"},
    {"/tmp/grade-1/reduce.cu(3): error: expression must be a modifiable lvalue\n      if (n + 1 = 3) f();\n          "
     "^\n",
     "To compare", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: identifier \"__syncwraps\" is undefined\n", "`__syncwarp`?", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: expected a \"(\"\n      if n == 0:\n         ^\n", "a Python if", NULL},
    {"/tmp/grade-1/reduce.cu(3): error: expected a \"(\"\n      if n ? a : b\n         ^\n", "must be in parentheses",
     "Python"},
    {"/tmp/grade-1/reduce.cu(3): error: no instance of overloaded function \"__shfl_down_sync\" matches the argument "
     "list\n"
     "            argument types are: (value_t, unsigned int)\n      f(x);\n      ^\n"
     "/usr/include/sm_30_intrinsics.hpp(574): note #3322-D: number of parameters does not match the call\n      "
     "f(x);\n      ^\n"
     "/tmp/grade-1/reduce.cu(3): note #3328-D: built-in operator[](<ptrdiff_t>) does not match\n      f(x);\n      ^\n"
     "/kit/common/reduce.h(3): note #3322-D: this is another function\n      f(x);\n      ^\n",
     "common/reduce.h(3): note", "intrinsics"},
    {"/tmp/grade-1/reduce.cu(3): note #3328-D: built-in operator[](<ptrdiff_t>) does not match\n      f(x);\n      ^\n",
     "", "note"},
};
START_TEST(errors_use_the_students_names) {
    char *shown = diagnostics_errors(errors[_i].output, &d);
    ck_assert_msg(strstr(shown, errors[_i].with) != NULL, "`%s` is not in:\n%s", errors[_i].with, shown);
    ck_assert_msg(!errors[_i].without || !strstr(shown, errors[_i].without), "`%s` is in:\n%s", errors[_i].without,
                  shown);
    free(shown);
}
END_TEST

START_TEST(explanations_appear_once) {
    static const char line[] = "/tmp/grade-1/reduce.cu(3): error: expected a \";\"\n\n";
    char twice[2 * sizeof line];
    strcpy(twice, line), strcat(twice, line);
    char *shown = diagnostics_errors(twice, &d), *hit = strstr(shown, "  = ");
    ck_assert(hit && !strstr(hit + 1, "  = "));
    free(shown);
}
END_TEST

/* A file is compiled once for each variant, so the compiler repeats each warning. */
START_TEST(warnings_are_shown_once_per_line) {
    char *warnings = diagnostics_warnings(
        "/tmp/grade-1/reduce.cu(3): warning #174-D: expression has no effect\n      __syncthreads;\n      ^\n\n"
        "Remark: The warnings can be suppressed with \"-diag-suppress <warning-number>\"\n\n"
        "/kit/common/reduce.h(3): warning #174-D: expression has no effect\n\n"
        "/tmp/grade-1/reduce.cu(3): warning #174-D: expression has no effect\n\n"
        "/tmp/grade-1/reduce.cu(4): warning #187-D: use of \"=\" where \"==\" may have been intended\n",
        &d);
    ck_assert_str_eq(warnings, "3: warning #174-D: expression has no effect\n"
                               "4: warning #187-D: use of \"=\" where \"==\" may have been intended\n");
    json_t *all = diagnostics_json(warnings, source), *first = json_array_get(all, 0);
    ck_assert_uint_eq(json_array_size(all), 2);
    ck_assert_str_eq(json_string_value(json_object_get(first, "message")), "expression has no effect");
    ck_assert_str_eq(json_string_value(json_object_get(first, "code")), "__syncthreads;");
    ck_assert(strstr(json_string_value(json_object_get(first, "note")), "a call needs parentheses"));
    json_decref(all);
    free(warnings);
    warnings = diagnostics_warnings("/tmp/grade-1/reduce.cu:4:11: warning: using the result of an assignment as a "
                                    "condition without parentheses [-Wparentheses]\n1 warning generated.\n",
                                    &d);
    ck_assert(!strncmp(warnings, "4: warning: using", 17));
    free(warnings);
}
END_TEST

/* shown: messages as students see them; places: one line for each message, "FILE LINE COLUMN SEVERITY MESSAGE =
 * NOTE". */
static const struct {
    const char *shown, *places, *name; /* name of the submission; NULL for that in `d` */
} places[] = {
    {"labs/lab3/reduce.cu(2): error: identifier \"valuet\" is undefined\n"
     "  __global__ void reduce(valuet *out, const value_t *in, unsigned n) {\n"
     "                         ^\n  = did you mean `value_t`?\n\n"
     "labs/lab3/reduce.cu(4): error: expected a \";\"\n  \tx\n  \t^\n",
     "labs/lab3/reduce.cu 2 24 error identifier \"valuet\" is undefined = did you mean `value_t`?\n"
     "labs/lab3/reduce.cu 4 2 error expected a \";\" =\n"},
    {"labs/lab3/reduce.cu:3:5: error: use of undeclared identifier 'x'\n    x;\n    ^\n"
     "labs/lab3/reduce.cu:2:1: note: it is declared here\n"
     "labs/lab3/reduce.cu:4:9: warning: assigned: error: no [-Wparentheses]\n",
     "labs/lab3/reduce.cu 3 5 error use of undeclared identifier 'x' =\n"
     "labs/lab3/reduce.cu 4 9 warning assigned: error: no [-Wparentheses] =\n"},
    {"labs/lab3/reduce.cu:1:10: fatal error: 'a.h' file not found\n",
     "labs/lab3/reduce.cu 1 10 error 'a.h' file not found =\n"},
    {"labs/lab3/reduce.cu(1): catastrophic error: could not open source file \"a.h\"\n",
     "labs/lab3/reduce.cu 1 0 error could not open source file \"a.h\" =\n"},
    {"labs/lab3/reduce.cu(3): warning #174-D: expression has no effect\n",
     "labs/lab3/reduce.cu 3 0 warning expression has no effect =\n"},
    {"a (3): error:b:9/reduce.cu(3): error: x\n", "a (3): error:b:9/reduce.cu 3 0 error x =\n",
     "a (3): error:b:9/reduce.cu"},
    {"common/reduce.h(7): error: odd\n", "common/reduce.h 7 0 error odd =\n"},
    {"At end of source: error: expected a \"}\"\n\n  = a { has no matching }\n",
     "labs/lab3/reduce.cu 5 0 error expected a \"}\" = a { has no matching }\n"},
    {"labs/lab3/reduce.cu: nvcc was stopped because it took too long or used too much memory\n",
     "labs/lab3/reduce.cu 1 0 error nvcc was stopped because it took too long or used too much memory =\n"},
    {"labs/lab3/reduce.cu gives lines other numbers\n", "labs/lab3/reduce.cu 1 0 error gives lines other numbers =\n"},
    {"", "labs/lab3/reduce.cu 1 0 error  =\n"},
};
START_TEST(errors_have_positions) {
    char found[600] = "";
    size_t k;
    json_t *p, *all = diagnostics_places(places[_i].shown, places[_i].name ? places[_i].name : d.shown, source);
    json_array_foreach(all, k, p) {
        const char *note = json_string_value(json_object_get(p, "note"));
        const size_t n = strlen(found);
        snprintf(found + n, sizeof found - n, "%s %lld %lld %s %s =%s%s\n",
                 json_string_value(json_object_get(p, "file")), json_integer_value(json_object_get(p, "line")),
                 json_integer_value(json_object_get(p, "column")), json_string_value(json_object_get(p, "severity")),
                 json_string_value(json_object_get(p, "message")), note ? " " : "", note ? note : "");
    }
    ck_assert_str_eq(found, places[_i].places);
    json_decref(all);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("diagnostics");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, errors_use_the_students_names, 0, sizeof errors / sizeof *errors);
    tcase_add_test(all, explanations_appear_once);
    tcase_add_test(all, warnings_are_shown_once_per_line);
    tcase_add_loop_test(all, errors_have_positions, 0, sizeof places / sizeof *places);
    suite_add_tcase(suite, all);
    return suite_failures(suite) != 0;
}
