/* Tests `./grade run`: commands and their output, malicious commands, and sessions of --step. Each command runs in a
 * child process (run_command.h), so that the test can check its exit status and memory leaks.
 * grader/tests/run/kernels.ptx is the PTX of kernels.cu. It is compiled in advance, so that the output does not
 * depend on the compiler's version. UPDATE_GOLDEN=1 rewrites grader/tests/golden/run_*.txt; check the changes before
 * you commit them. */
/* run: 11 s */
/* reads: grader/tests/golden grader/tests/run labs/lab10_argmax/reduce.cu common */
#include "base/file.h"
#include "base/random.h"
#include "run/run.h"
#include "sandbox/process.h"
#include "tests/effort.h"
#include "tests/run_command.h"
#include "tests/suite.h"

#define PTX "grader/tests/run/kernels.ptx"
#define CU "grader/tests/run/kernels.cu"
#define UNPLACED "grader/tests/run/unplaced.ptx" /* has no .loc directives */
#define SUM PTX " sum --grid 2 --block 64 --arg float[128]:iota --arg float[2]:out --arg 128"
#define CALLS PTX " calls --shared 128 --arg int[4]:out"

/* ---- pages ---------------------------------------------------------------------------------- */
static const struct {
    const char *name, *words, *input;
    int status;
} pages[] = {
    {"sum", SUM, "", 0},
    {"racing", PTX " racing --block 64 --arg float[70]:1 --arg float[2]:out --arg 64 --print 1", "", 1},
    {"widths", PTX " widths --block 7 --arg i8[9]:0 --arg u8[9]:3 --arg i16[7]:out --arg i64[7]:out --arg u64[7]:out",
     "", 0},
    {"numbers",
     PTX " numbers --block 1 --arg -5 --arg u16:65535 --arg -0x7 --arg 18446744073709551615 --arg 1.5f --arg -1e300 "
         "--arg f64[6]:out",
     "", 0},
    {"places", PTX " places --grid 2x2x2 --block 2x3x2 --arg u32[100]:out --print 60", "", 0},
    {"endless", PTX " endless --arg int[1]:zero --budget 10000", "", 1},
    {"refused", PTX " sum --block 64 --shared 232448 --arg null --arg null --arg 0", "", 1},
    {"trace", SUM " --trace --trace-lines 70 --seed 7", "", 0},
    {"trace_warp", SUM " --trace=1.1", "", 0},
    {"step", SUM " --step",
     "n\nn\np s\ns\n\n\ns 3\np %rd5\np\nlanes\nuntil 25\nuntil 23\nlanes\np s[20..40]\ns 3\np s\np in\np partial\np "
     "n\np threadIdx.x\n"
     "print u32 s[1]\nwarp 1\nn\nwarps\nwarp 0\nuntil 26\ns 2\nlanes\nlist\nwhere\ns\np partial\ns 40\nwarp 0.0\nc\n",
     0},
    {"step_calls", CALLS " --step",
     "until 80\np\ns 2\np %p1\nuntil 73\nwhere\nlanes\np factor\np weights\np dynamic\np counter\np f64 weights\n"
     "until 81\ns 4\np counter\ns\ns\np counter\np 0x10000000004[0..2]\np 1\nq\n",
     0},
};
START_TEST(page_matches_golden_file) {
    char path[120];
    snprintf(path, sizeof path, "grader/tests/golden/run_%s.txt", pages[_i].name);
    struct result r = run(pages[_i].words, pages[_i].input);
    ck_assert_msg(r.status == pages[_i].status && !*r.err, "%s: status %d, %s", pages[_i].name, r.status, r.err);
    if (getenv("UPDATE_GOLDEN")) {
        FILE *f = fopen(path, "w");
        ck_assert(f && fputs(r.out, f) >= 0 && !fclose(f));
    }
    char *golden = file_read(path, 0, 1 << 20, NULL);
    ck_assert_msg(golden && !strcmp(golden, r.out), "%s differs from the current output; see UPDATE_GOLDEN", path);
    for (const char *line = r.out; pages[_i].input[0] == 0 && *line; line += strcspn(line, "\n") + 1)
        ck_assert_msg(strcspn(line, "\n") <= 110, "%s: a line of %zu columns", path, strcspn(line, "\n"));
    free(golden);
    release(&r);
}
END_TEST

/* ---- rejected commands -------------------------------------------------------------- */
static const struct {
    const char *words;
    int status;
    const char *message; /* part of standard error or, for status 0 and 1, of standard output */
} edges[] = {
    {"", 2, "no file is given"},
    {PTX, 2, "has sum, racing, scaled, places, widths, numbers, endless, by_value, nothing, twice, twice, calls, say"},
    {PTX " su", 2, "has no kernel `su`; it has sum"},
    {PTX " sum sum", 2, "`sum`"},
    {PTX " twice --arg int[4]:1", 2, "more than one kernel is named `twice`"},
    {PTX " twice --arg int[4]:1", 2,
     "give the full name of one of them\n  'twice<int>'  _Z5twiceIiEvPT_\n  'twice<float>'  _Z5twiceIfEvPT_"},
    {PTX, 2, "  'twice<int>'  _Z5twiceIiEvPT_\n  'twice<float>'  _Z5twiceIfEvPT_"},
    {PTX " twice<double> --arg int[4]:1", 2, "has no kernel `twice<double>`"},
    {PTX " twice<int> --block 4 --arg int[4]:21", 0, "[0] 42 42 42 42"},
    {PTX " calls --shared 128 --arg int[4]:out --set counter=7 --set weights=float[4]:9", 0,
     "counter  7   1 of 1 written\n      [0] 9\n"},
    {PTX " calls --shared 128 --arg int[4]:out --set weights=float[4]:9", 0, "      [0] 12 9 18 15\n"},
    {PTX " calls --shared 128 --arg int[4]:out --set weights=float[3]:9", 2,
     "--set weights=float[3]:9: the variable is 16 bytes long, not 12"},
    {PTX " calls --shared 128 --arg int[4]:out --set weights=9", 2,
     "the variable is 16 bytes long: set it with TYPE[N]:FILL or @FILE"},
    {PTX " calls --shared 128 --arg int[4]:out --set wait=9", 2, "no such __device__ or __constant__ variable"},
    {PTX " calls --shared 128 --arg int[4]:out --set counter=1.5", 2, "`1.5` is not an integer"},
    {PTX " calls --shared 128 --arg int[4]:out --set counter=int[1]:out", 2, "without const, +BYTES or out"},
    {PTX " nothing --set =1", 2, "--set takes NAME=VALUE"},
    {PTX " nothing --set counter", 2, "--set takes NAME=VALUE"},
    {PTX " _Z5twiceIiEvPT_ --block 4 --arg int[4]:21", 0, "[0] 42 42 42 42"},
    {PTX " nothing", 0, "no findings"},
    {PTX " nothing --arg 1", 2, "`nothing` takes 0 arguments, but 1 were given"},
    {PTX " sum", 2, "`sum` takes 3 arguments, but 0 were given with --arg: in (float const*), partial"},
    {PTX " say --block 4 --arg null --arg -inf", 0, "x is -inf"},
    {PTX " say --arg null --arg half", 2,
     "argument 2 (x) `half`: `half` is not a number, and the parameter is a float"},
    {PTX " say --arg null --arg i32:1", 2, "the parameter is a float, not i32"},
    {PTX " say --arg 1.5 --arg 1", 2, "argument 1 (unused) `1.5`: `1.5` is not an integer"},
    {PTX " by_value --arg 5 --arg null", 2,
     "a struct of 8 bytes: give its fields, {FIELD, FIELD, ...}, or its bytes as @FILE"},
    {PTX " by_value --block 2 --arg {7,-8} --arg int[2]:out", 0, "      [0] 692 692\n"},
    {PTX " by_value --block 2 --arg {{7},{i16:8,u16:0}} --arg int[2]:out", 0, "      [0] 708 708\n"},
    {PTX " by_value --arg {7} --arg null", 2, "the fields take 4 bytes, but the parameter is 8 bytes long"},
    {PTX " by_value --arg {7,8 --arg null", 2, "expected a } or a comma"},
    {PTX " by_value --arg {7,8}} --arg null", 2, "unexpected text after the }: `}`"},
    {PTX " by_value --arg {7,} --arg null", 2, "a field is missing or too long at `}`"},
    {PTX " by_value --arg {7,int[1]:bad} --arg null", 2, "field 2, `int[1]:bad`: `bad` is not a fill"},
    {PTX " by_value --arg {{{{{{{{{7}}}}}}}}} --arg null", 2, "structs are nested too deep"},
    {PTX " by_value --arg @/dev/zero --arg null", 2, "/dev/zero: not a regular file"},
    {PTX " by_value --arg @" PTX " --arg null", 2, ": too large (8)"},
    {PTX " by_value --arg @/nowhere --arg null", 2, "No such file"},
    {PTX " by_value --arg int[2]:1 --arg null", 2, "the parameter is a struct of 8 bytes, not a pointer"},
    {PTX " twice --arg", 2, "requires an argument"},
    {PTX " places --arg int[4]", 2, "the fill is missing: write int[4]:FILL, with FILL random"},
    {PTX " places --arg int[4]:", 2, "the fill is missing"},
    {PTX " places --arg int[4]:one", 2,
     "`one` is not a fill: use random, small, iota, zero, out, @FILE, or a number that fits into i32"},
    {PTX " places --arg u8[4]:256", 2, "`256` is not a fill"},
    {PTX " places --arg int[4:out", 2, "a buffer is TYPE[N]:FILL"},
    {PTX " places --arg int[-4]:out", 2, "a buffer is TYPE[N]:FILL"},
    {PTX " places --arg int[99999999999999999999]:out", 2, "a buffer is TYPE[N]:FILL"},
    {PTX " places --arg int[4]+:out", 2, "a pointer into a buffer is TYPE[N]+BYTES:FILL"},
    {PTX " places --arg int[4]+4", 2, "a pointer into a buffer is TYPE[N]+BYTES:FILL"},
    {PTX " places --arg int[4]+-4:out", 2, "a pointer into a buffer is TYPE[N]+BYTES:FILL"},
    {PTX " places --arg int[4]+17:out", 2, "with BYTES at most the buffer's size"},
    {PTX " places --arg int[999999999999]:out", 2,
     "a buffer has at most 64 GiB, which is 17179869184 elements of i32: give it fewer"},
    {PTX " places --arg b16[4]:out", 2, "`b16` is not a type: i8 u8"},
    {PTX " places --arg [4]:out", 2, "`` is not a type"},
    {PTX " places --arg int[400]:@" CU, 2, ": too large (1600)"},
    {PTX " places --arg int[40000]:@" CU, 2, ": fewer bytes than the buffer"},
    {PTX " places --arg u32:7", 2, "a pointer or an 8-byte integer, not u32"},
    {PTX " places --arg u64:0x10", 1, "null pointer"},
    {UNPLACED " k --arg null", 1, "\n    null pointer\n"},
    {PTX " places --arg int[0]:out", 1, "access out of bounds"},
    {PTX " scaled --arg double[4]:2 --arg 4294967296 --arg 1", 2, "`4294967296` does not fit into the parameter"},
    {PTX " scaled --arg double[4]:2 --arg -2147483649 --arg 1", 2, "does not fit into the parameter"},
    {PTX " scaled --arg double[4]:2 --arg u32:-1 --arg 1", 2, "does not fit into u32"},
    {PTX " scaled --arg double[4]:2 --arg 4 --arg 0x10", 0, "[0] 64 64 64 64"},
    {PTX " scaled --arg double[4]:2 --arg 4 --arg int[4]:0", 2, "the parameter is a double, not a pointer"},
    {PTX " nothing --grid 0", 2, "--grid takes one to three numbers from 1 to 2147483647"},
    {PTX " nothing --grid 2x", 2, "--grid takes one to three numbers from 1 to 2147483647"},
    {PTX " nothing --grid 1x1x1x1", 2, "--grid takes one to three numbers from 1 to 2147483647"},
    {PTX " nothing --grid 9999999999", 2, "--grid takes one to three numbers from 1 to 2147483647"},
    {PTX " nothing --cores -G", 2, "--cores must be a number from 1 to 1024, not `-G`"},
    {PTX " nothing --grid 65536x65536", 1, "the grid has more than 2^31 - 1 blocks, the maximum"},
    {PTX " nothing --block 1025", 2, "the maximum is 1024 in total"},
    {PTX " nothing --block 33x32", 2, "a block of 33x32x1 threads"},
    {PTX " nothing --block 2147483647x2147483647x4", 2, "the maximum is 1024 in total"},
    {PTX " nothing --grid 6 --cluster 2", 0, "grid 6, block 32, cluster 2\n"},
    {PTX " nothing --grid 6 --cluster 4", 1, "6x1x1 blocks cannot be divided into clusters of 4x1x1"},
    {PTX " nothing --cluster 0", 2, "--cluster takes one to three numbers from 1 to 2147483647"},
    {PTX " nothing --shared 232449", 2, "--shared must be a number from 0 to 232448"},
    {PTX " nothing --seed x", 2, "--seed must be a number"},
    {PTX " nothing --budget 0", 2, "--budget must be a number from 1"},
    {PTX " nothing --print -1", 2, "--print must be a number"},
    {PTX " nothing --device tpu", 2, "no device `tpu`"},
    {PTX " nothing --device cuda --step", 2, "--trace and --step need the simulator"},
    {PTX " nothing --trace --step", 2, "--trace and --step cannot be combined"},
    {PTX " nothing --trace --json -", 2, "--json - and --trace would both write to standard output"},
    {PTX " nothing --trace=a", 2, "--trace takes a warp as WARP or BLOCK.WARP"},
    {PTX " nothing --trace=0.32", 2, "--trace takes a warp"},
    {PTX " nothing --trace=5.0", 0, "the traced warps executed no instructions"},
    {PTX " nothing --trace-lines 0", 2, "--trace-lines must be a number from 1"},
    {PTX " nothing --json r.cuh", 2, "--json would overwrite `r.cuh`, which is input"},
    {PTX " nothing --json /nowhere/r.json", 3, "/nowhere/r.json: cannot be written"},
    {PTX " nothing --define 1=2", 2, "--define takes NAME, NAME=VALUE or NAME(X)=VALUE"},
    {PTX " nothing --define -o=x", 2, "--define takes NAME, NAME=VALUE or NAME(X)=VALUE"},
    {PTX " nothing --arch x", 2, "--arch must be a number"},
    {PTX " nothing --compiler tcc", 0, "no findings"},
    {CU " nothing --compiler tcc", 2, "no compiler `tcc`: use auto, nvrtc, nvcc or clang"},
    {"/nowhere/a.cu nothing", 3, "/nowhere/a.cu: No such file"},
    {"grader nothing", 3, "grader is not a regular file"},
    {"grader/tests/run/nothing.ptx nothing", 3, "No such file"},
    {"--help", 0, "TYPE[N]:FILL"},
    {"--nonsense", 2, "unrecognized option '--nonsense'"},
};
START_TEST(edge_cases_are_reported) {
    struct result r = run(edges[_i].words, "");
    const char *text = edges[_i].status < 2 ? r.out : r.err;
    ck_assert_msg(r.status == edges[_i].status, "%s: status %d\n%s%s", edges[_i].words, r.status, r.out, r.err);
    ck_assert_msg(strstr(text, edges[_i].message) != NULL, "%s: no `%s` in\n%s", edges[_i].words, edges[_i].message,
                  text);
    release(&r);
}
END_TEST
START_TEST(help_lists_all_compiler_options) {
    struct result r = run("--help", "");
    for (unsigned k = 0; k < run_flag_count; k++)
        ck_assert_msg(strstr(r.out, run_flags[k].text) != NULL, "no %s in\n%s", run_flags[k].text, r.out);
    release(&r);
}
END_TEST

/* ---- damaged PTX ---------------------------------------------------------------------------- */
START_TEST(invalid_ptx_is_reported) {
    static const char *const texts[] = {"", "nonsense", ".version 9.0\n.target sm_75\n.address_size 64\n.entry f(",
                                        ".version 9.0\n.target sm_75\n.address_size 64\n"
                                        ".visible .entry f() { ret ret; }\n"};
    char path[] = "/tmp/check-run-XXXXXX.ptx", words[100];
    const int fd = mkstemps(path, 4);
    ck_assert_int_eq(write(fd, texts[_i], strlen(texts[_i])), (ssize_t)strlen(texts[_i]));
    close(fd);
    snprintf(words, sizeof words, "%s f", path);
    struct result r = run(words, "");
    unlink(path);
    ck_assert_msg((r.status == 4 || r.status == 2) && strstr(r.err, path), "%d: %s", r.status, r.err);
    release(&r);
}
END_TEST

/* A kernel that cannot run does not affect other kernels. All its errors are reported. */
START_TEST(kernel_cannot_run) {
    static const char text[] =
        ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry good()\n{\nret;\n}\n"
        ".visible .entry _Z3badv()\n{\n.reg .b32 %r<3>;\n.loc 1 7 1\ntcgen05.fence::before_thread_sync;\n"
        ".loc 1 8 1\nmov.u32 %r1, %pm0;\nret;\n}\n.file 1 \"/tmp/\x1b[2Jx.cu\"\n";
    char path[] = "/tmp/check-run-XXXXXX.ptx", words[100];
    const int fd = mkstemps(path, 4);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    struct result r = run(path, "");
    ck_assert_int_eq(r.status, 2);
    ck_assert_msg(
        strstr(
            r.err,
            " has good, bad: write the name of a kernel after the file\n  bad cannot run here: "
            "/tmp/?[2Jx.cu:7: instruction `tcgen05.fence::before_thread_sync` is not supported by the simulator\n    "
            "and /tmp/?[2Jx.cu:8: `%pm0` is neither declared nor"),
        "%s", r.err);
    release(&r);
    snprintf(words, sizeof words, "%s good", path);
    r = run(words, "");
    ck_assert_msg(r.status == 0 && !*r.err, "%s", r.err);
    release(&r);
    snprintf(words, sizeof words, "%s bad", path);
    r = run(words, "");
    ck_assert_msg(r.status == 4 && strstr(r.err, "kernel `bad` cannot run here: /tmp/?[2Jx.cu:7: instruction"),
                  "%d %s %s", r.status, r.out, r.err);
    unlink(path);
    release(&r);
}
END_TEST

/* A struct parameter with pointers between a char and an int. Reports of written values and of a finding must name
 * the struct's member. */
START_TEST(struct_has_pointers) {
    static const char text[] =
        ".version 7.0\n.target sm_75\n.address_size 64\n"
        ".visible .entry k(.param .align 8 .b8 k_param_0[24])\n{\n.reg .b64 %rd<4>;\n"
        ".reg .b32 %r<4>;\nld.param.u64 %rd1, [k_param_0+8];\nld.param.u32 %r1, [k_param_0+16];\n"
        "st.global.u32 [%rd1], %r1;\nst.global.u32 [%rd1+8], %r1;\nret;\n}\n";
    char path[] = "/tmp/check-run-XXXXXX.ptx", words[120];
    const int fd = mkstemps(path, 4);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    snprintf(words, sizeof words, "%s k --block 1 --arg {i8:1,int[2]:out,77}", path);
    struct result r = run(words, "");
    ck_assert_msg(r.status == 1 && strstr(r.out, "  arg1.1  int[2]:out   1 of 2 written\n      [0] 77 ?\n") &&
                      strstr(r.out, "past the end of"),
                  "%d %s%s", r.status, r.out, r.err);
    release(&r);
    unlink(path);
}
END_TEST

/* Names as nvcc mangles them, and as reports show them. */
static const char *const mangled[][2] = {
    {"_Z3sumPKfPfi", "sum"},
    {"plain", "plain"},
    {"_ZN2ns4tmplILi4EiEEvPT0_", "ns::tmpl<4, int>"},
    {"_ZN2ns4tmplILin2EfEEvPT0_", "ns::tmpl<-2, float>"},
    {"_ZN2ns3twoINS_3FooEjLNS_4KindE1ELb1EEEvPT_T0_", "ns::two<ns::Foo, unsigned int, (ns::Kind)1, true>"},
    {"_ZN2ns5boxedINS_3BoxILi3EEEEEvT_Pi", "ns::boxed<ns::Box<3>>"},
    {"_Z1kIP3FooS0_S1_EvT_T0_T1_", "k<Foo*, Foo, Foo*>"},
    {"_Z1kIJifdEEvDpT_", "k<int, float, double>"},
    {"_Z1kIJEEvDpT_", "k<>"},
    {"_Z1kIPKfLm7EEvT_", "k<float const*, 7>"},
    /* an expression as a template argument is not demangled */
    {"_Z1kIXadL_Z6squareiEEEvPi", "_Z1kIXadL_Z6squareiEEEvPi"},
    {"_ZN12_GLOBAL__N_11kIiEEvPT_", "(anonymous namespace)::k<int>"},
    {"_Z9999x", "_Z9999x"},
    {"_ZN", "_ZN"},
    {"_Z1kIS9_E", "_Z1kIS9_E"},
    {"_Z1kIPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPiE", "_Z1kIPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPPiE"},
};
START_TEST(name_is_demangled) {
    char out[256];
    ck_assert_str_eq(run_demangle(mangled[_i][0], out, sizeof out), mangled[_i][1]);
}
END_TEST

/* Tests compiler options, with a race that the optimizer removes, a macro with a parameter, the page, and the
 * record. Also tests tabs in quoted lines. */
START_TEST(options_reach_the_compiler) {
    static const char text[] =
        "#if __cplusplus < TWICE(100850)\n#error old\n#endif\n__global__ void k(int *out) {\n"
        "\t__shared__ int s[2];\n\ts[threadIdx.x / 32] = 1;\n\tint b = s[1 - threadIdx.x / 32];\n"
        "\tif (b == 3 && b == 4)\tout[1] = b;\n\tif (!threadIdx.x)\tout[9] = 1;\n}\n";
    static const struct {
        const char *words;
        int status;
        const char *there, *missing;
    } cases[] = {
        {"-std=c++17", 1, "compiled by nvcc -std=c++17, run", "data race in shared memory"},
        {"--std=c++11", 4, "error old", NULL},
        {"-G -std=c++17", 1, "data race in shared memory", NULL},
        {"-std=c++11 -O0 -std=c++17 -G", 1, "compiled by nvcc -std=c++17 -G, run", "warning"},
        {"-std=c++17 -arch=sm_80 -rdc=true --use_fast_math", 1,
         "           9 |     if (!threadIdx.x)   out[9] = 1;\n             |     ^\n", NULL},
        {"-std c++17 -arch sm_80 -rdc true -G", 1, "compiled by nvcc -std=c++17 -rdc=true -G, run", NULL},
        {"--arch 80 --std c++17", 1, "compiled by nvcc -std=c++17, run", NULL},
        {"-std c++98", 2, "`-std=c++98` is not an accepted compiler option", NULL},
        {"-arch 80", 2, "`-arch=80` is not an accepted compiler option", NULL},
        {"-rdc", 2, "`-rdc` is not an accepted compiler option", NULL},
        {"-std=c++17 -G --json -", 1, "\"options\": \"-std=c++17 -G\"", NULL},
        {"-std=c++98", 2, "`-std=c++98` is not an accepted compiler option; the accepted options are -G -O0", NULL},
        {"-Xptxas=-v", 2, "is not an accepted compiler option", NULL},
        {"-D F(x=1", 2, "--define takes NAME, NAME=VALUE or NAME(X)=VALUE, not `F(x=1`", NULL},
        {"-D F(x)-o=1", 2, "--define takes NAME", NULL},
    };
    char path[] = "/tmp/check-run-XXXXXX.cu", words[300];
    const int fd = mkstemps(path, 3);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    char *nvcc = process_find("nvcc");
    for (unsigned k = 0; nvcc && k < sizeof cases / sizeof *cases; k++) {
        /* rows with status 2 are quick, because nothing is compiled */
        if (cases[k].status != 2 && k % effort(1, 6)) continue;
        snprintf(words, sizeof words, "%s k --compiler nvcc --block 64 --arg int[2]:out -D TWICE(x)=(x*2) %s", path,
                 cases[k].words);
        struct result r = run(words, "");
        const char *missing = cases[k].missing;
        ck_assert_msg(r.status == cases[k].status && (strstr(r.out, cases[k].there) || strstr(r.err, cases[k].there)) &&
                          (!missing || (!strstr(r.out, missing) && !strstr(r.err, missing))),
                      "%s: %d\n%s%s", words, r.status, r.out, r.err);
        release(&r);
    }
    free(nvcc);
    struct result r = run(PTX " nothing -G", "");
    ck_assert_msg(r.status == 2 && strstr(r.err, "-G is a compiler option, but " PTX " is already PTX"), "%s", r.err);
    release(&r);
    unlink(path);
}
END_TEST

/* File names in PTX may contain terminal control sequences, which the command must not print. */
START_TEST(names_are_harmless) {
    static const char text[] = ".version 9.0\n.target sm_75\n.address_size 64\n.visible .entry f()\n{\n"
                               ".loc 1 1 1\nret;\n}\n.file 1 \"/tmp/\x1b[2Jx.cu\"\n";
    static const char *const ways[] = {"", " --trace", " --step"};
    char path[] = "/tmp/check-run-XXXXXX.ptx", words[100];
    const int fd = mkstemps(path, 4);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    for (unsigned k = 0; k < 3; k++) {
        snprintf(words, sizeof words, "%s f%s", path, ways[k]);
        struct result r = run(words, "where\nlist\nlanes\nc\n");
        ck_assert_msg(r.status == 0 && !strchr(r.out, '\x1b') && !strchr(r.err, '\x1b'), "%s%s", r.out, r.err);
        release(&r);
    }
    unlink(path);
}
END_TEST

/* ---- the record ----------------------------------------------------------------------------- */
START_TEST(record_is_complete) {
    struct result r = run(PTX " racing --block 64 --arg float[70]:1 --arg float[2]:out --arg 64 --json -", "");
    json_t *o = json_loads(r.out, 0, NULL), *arguments = json_object_get(o, "arguments"), *f;
    ck_assert_msg(o != NULL, "%s", r.out);
    ck_assert_int_eq(r.status, 1);
    ck_assert_str_eq(json_string_value(json_object_get(o, "schema")), "reduction-labs/run/3");
    ck_assert_str_eq(json_string_value(json_object_get(o, "end")), "findings");
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(arguments, 0), "name")), "in");
    /* a buffer that was not written has no `first`, and in a written one, elements that were not written are null */
    ck_assert(!json_object_get(json_array_get(arguments, 0), "first"));
    ck_assert(json_is_null(json_array_get(json_object_get(json_array_get(arguments, 1), "first"), 1)));
    ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(arguments, 1), "written")), 1);
    f = json_array_get(json_object_get(o, "findings"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(f, "kind")), "race-shared");
    ck_assert(json_array_size(json_object_get(o, "lines")) > 3 && json_array_size(json_object_get(o, "steps")) > 3);
    ck_assert_int_gt(json_integer_value(json_object_get(json_object_get(o, "counts"), "warp_instructions")), 100);
    json_decref(o);
    release(&r);
}
END_TEST
/* A listener that watches each instruction does not change the results. */
START_TEST(watching_changes_nothing) {
    static const char *const words[] = {
        SUM " --seed 3", CALLS " --seed 4",
        PTX " racing --grid 3 --block 64 --seed 5 --arg float[200]:random --arg float[3]:out --arg 190"};
    char step[300];
    struct result plain = run(words[_i], "");
    snprintf(step, sizeof step, "%s --step", words[_i]);
    struct result stepped = run(step, "c\n");
    const char *page = strstr(stepped.out, "The kernel has ended.\n\n");
    ck_assert_int_eq(plain.status, stepped.status);
    ck_assert_str_eq(page + strlen("The kernel has ended.\n\n"), plain.out);
    release(&plain);
    release(&stepped);
}
END_TEST

/* ---- malicious input ------------------------------------------------------------------------ */
/* Makes random arguments from meaningful pieces. The parser must not crash, and accepted arguments must be complete. */
START_TEST(random_arguments_do_no_harm) {
    static const char *const pieces[] = {"int",  "float", "u8", "f64", "i64", "[",    "]",   "4",  "0",  ":",
                                         "out",  "zero",  "@",  "/",   "-",   "1.5",  "nan", "1e", "0x", "random",
                                         "iota", "small", "ff", "9",   " ",   "\x80", "%s",  "u",  "..", "[3]"};
    static const struct ptx_variable parameters[] = {{.type = PTX_U64, .size = 8}, {.type = PTX_U32, .size = 4},
                                                     {.type = PTX_F32, .size = 4}, {.type = PTX_F64, .size = 8},
                                                     {.type = PTX_U8, .size = 1},  {.type = PTX_B8, .size = 12}};
    uint64_t random = 1, data = 2;
    unsigned taken = 0;
    for (unsigned k = 0; k < 40000; k++) {
        char text[120] = "", message[500] = "", number[48];
        for (uint64_t n = random_next(&random) % 8; n; n--)
            strcat(text, pieces[random_next(&random) % (sizeof pieces / sizeof *pieces)]);
        struct run_argument a = {.text = NULL};
        const struct ptx_variable *p = &parameters[random_next(&random) % 6];
        if (run_argument_parse(&a, text, p, &data, message, sizeof message)) {
            taken++;
            if (!a.data || (a.buffer && (p->size != 8 || !a.type))) ck_abort_msg("%s", text);
            if (a.type && !a.buffer) json_decref(run_value_json(a.type, a.data));
            if (a.type && !a.buffer) run_value_text(a.type, a.data, number, sizeof number);
        } else if (!*message || strchr(message, '\n'))
            ck_abort_msg("%s: %s", text, message);
        run_argument_free(&a);
    }
    ck_assert_uint_gt(taken, 500);
}
END_TEST
/* Every f16 and every bf16 must keep its value when it is printed and parsed. A number between two of them must be
 * rounded to the nearest one, and a tie to even. */
static const struct small_float {
    const char *type;
    uint16_t exponent; /* if all its bits are set, the number is infinity or a NaN, and only one NaN is tested */
    struct {
        const char *text;
        uint16_t bits;
    } row[12];
} small_floats[] = {
    {"f16",
     0x7c00,
     {{"1.00048828125", 0x3c00},
      {"1.00146484375", 0x3c02},
      {"65519.99", 0x7bff},
      {"65520", 0x7c00},
      {"-1e9", 0xfc00},
      {"2.9e-8", 0x0000},
      {"3e-8", 0x0001},
      {"6.1033e-5", 0x0400},
      {"-0.0", 0x8000},
      {"2047.9", 0x6800},
      {"nan", 0x7fff}}},
    {"bf16",
     0x7f80,
     {{"1.00390625", 0x3f80},
      {"1.01171875", 0x3f82},
      {"3.39e38", 0x7f7f},
      {"3.4e38", 0x7f80},
      {"-1e300", 0xff80},
      {"4e-41", 0x0000},
      {"1e-39", 0x000b},
      {"-0.0", 0x8000},
      {"255.9", 0x4380},
      {"nan", 0x7fff}}},
};
/* Parses a number or, if `buffer`, a buffer with this number, which takes longer, because memory must be mapped. */
static void expect_read(const struct small_float *f, const char *number, uint16_t bits, bool buffer) {
    const struct ptx_variable half = {.type = PTX_B8, .size = 2}, pointer = {.type = PTX_U64, .size = 8};
    char text[80], message[500] = "";
    uint64_t random = 0;
    struct run_argument a = {0};
    snprintf(text, sizeof text, "%s%s:%s", f->type, buffer ? "[1]" : "", number);
    if (!run_argument_parse(&a, text, buffer ? &pointer : &half, &random, message, sizeof message) ||
        memcmp(a.data, &bits, 2))
        ck_abort_msg("%s is not %04x %s", text, bits, message);
    run_argument_free(&a);
}
START_TEST(small_floats_read_back) {
    const struct small_float *f = &small_floats[_i];
    const struct run_type *type = run_types;
    while (strcmp(type->name, f->type)) type++;
    for (unsigned k = 0; k < 65536; k++) {
        const uint16_t bits = (uint16_t)k;
        char number[48];
        if ((bits & f->exponent) != f->exponent || !(bits & 0x7fff & ~f->exponent))
            expect_read(f, run_value_text(type, &bits, number, sizeof number), bits, k % 64 == 0);
    }
    for (unsigned k = 0; f->row[k].text; k++)
        expect_read(f, f->row[k].text, f->row[k].bits, false), expect_read(f, f->row[k].text, f->row[k].bits, true);
}
END_TEST
/* Sessions of random commands must end normally. */
START_TEST(random_sessions_end_normally) {
    static const char *const words[] = {
        "s",      "n",    "until",   "25",    "p",    "s[0..9]", "lanes",      "w",
        "1",      "1.1",  "l",       "99999", "help", "%rd1",    "%p1",        "0x",
        "[",      "s[5",  "in[4]",   "f64",   "-1",   "0",       "%laneid",    "partial",
        "where",  "list", "\x1b[2J", "..",    "n",    "%tid.y",  "blockDim.x", "0x700000000000[0..3]",
        "%clock", "warp"};
    uint64_t random = (uint64_t)_i + 1;
    char input[6000] = "";
    for (unsigned k = 0; k < 150; k++) {
        for (uint64_t n = 1 + random_next(&random) % 3; n; n--) {
            strcat(input, words[random_next(&random) % (sizeof words / sizeof *words)]);
            strcat(input, n > 1 ? " " : "\n");
        }
    }
    struct result r = run(SUM " --step", input);
    ck_assert_msg(r.status == 0 && !strchr(r.out, '\x1b'), "%d %s\n%s", r.status, r.err, input);
    release(&r);
}
END_TEST
START_TEST(sessions_accept_one_long_line) {
    char *input = malloc(100002);
    memset(input, 's', 100000);
    strcpy(input + 100000, "\n");
    struct result r = run(SUM " --step", input);
    ck_assert_msg(r.status == 0 && strstr(r.out, "no command `sss"), "%s", r.out);
    free(input);
    release(&r);
}
END_TEST

/* ---- the compiler --------------------------------------------------------------------------- */
static bool have_nvcc(void) {
    char message[300];
    return compiler_find("nvcc", message, sizeof message) != NULL;
}
START_TEST(source_is_compiled) {
    if (!have_nvcc()) return;
    struct result r = run(CU " scaled --compiler nvcc --include grader/tests/run/include --define FACTOR=10 --block 64 "
                             "--arg f64[40]:0.25 --arg 40 --arg 1.5",
                          "");
    ck_assert_msg(r.status == 0 && strstr(r.out, "[0] 3.75 3.75") && strstr(r.out, "compiled by nvcc"), "%s%s", r.out,
                  r.err);
    release(&r);
    r = run(CU " scaled --compiler nvcc", ""); /* the header is not in the file's folder */
    ck_assert_msg(r.status == 4 && strstr(r.err, "kernels.cu") && strstr(r.err, "scale.h"), "%d %s", r.status, r.err);
    release(&r);
    /* The file chooses its operator: that of reduce.h has its own combine(). */
    r = run("labs/lab10_argmax/reduce.cu", "");
    ck_assert_msg(r.status == 2 && strstr(r.err, "reduce.cu has reduce: write"), "%d %s", r.status, r.err);
    release(&r);
}
END_TEST

int main(void) {
    Suite *s = suite_create("run");
    TCase *t = tcase_create("run");
    tcase_set_timeout(t, 300);
    add_rows(t, page_matches_golden_file, sizeof pages / sizeof *pages, effort(1, 3));
    add_rows(t, edge_cases_are_reported, sizeof edges / sizeof *edges, effort(1, 3));
    tcase_add_test(t, help_lists_all_compiler_options);
    tcase_add_loop_test(t, invalid_ptx_is_reported, 0, 4);
    tcase_add_test(t, names_are_harmless);
    tcase_add_test(t, kernel_cannot_run);
    tcase_add_test(t, struct_has_pointers);
    tcase_add_test(t, options_reach_the_compiler);
    tcase_add_loop_test(t, name_is_demangled, 0, sizeof mangled / sizeof *mangled);
    tcase_add_test(t, record_is_complete);
    tcase_add_loop_test(t, watching_changes_nothing, 0, 3);
    tcase_add_test(t, random_arguments_do_no_harm);
    tcase_add_loop_test(t, small_floats_read_back, 0, (int)effort(sizeof small_floats / sizeof *small_floats, 1));
    add_rows(t, random_sessions_end_normally, 12, effort(1, 3));
    tcase_add_test(t, sessions_accept_one_long_line);
    tcase_add_test(t, source_is_compiled);
    suite_add_tcase(s, t);
    const int failed = suite_failures(s);
    if (!have_nvcc()) printf("SKIP source_is_compiled: no nvcc\n");
    return failed ? 1 : 0;
}
