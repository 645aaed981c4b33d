// Compares the speed of the solutions on this GPU with that of NVIDIA's own reduction (cub::DeviceReduce). A single run measures all of them, in
// turns.
//
//     bench_gpu            prints tables in Markdown: microseconds by number of elements; at 2^28, lab 9 for other operators and types,
//                          and labs 8 and 10 next to lab 9
//     bench_gpu --svg      draws a picture of them, with the memory roofline
//     bench_gpu --csv      prints comma-separated values
//
// Each figure is the interquartile mean of REPEATS runs of a whole plan of launches, measured between two events on the device. Before each run,
// the device reads other data. These fill the caches and keep the device busy, so the launch overhead of the host is not measured. The device does
// not write the data, because dirty lines would be written back during the measurement.
//
// A second table shows the time per run if CUB and lab 9 run back to back on the same data, part of which may be in the caches. If the runs are
// launched one by one, a small size takes as long as the host needs for a launch. Lab 9 is also launched so that a launch may start before the
// previous one has ended ("early"); its kernel then waits for the previous launch. Finally, both run as a graph, without the host. Every result
// is checked. `make bench-gpu` builds this program with a default stream per thread, because only such a stream can be captured.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <cub/device/device_reduce.cuh>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#define SOLUTION
#undef REDUCE_OP
#undef REDUCE_TYPE
#define REDUCE_OP 0
#define REDUCE_TYPE 3
namespace lab1 {
#include "lab1.cu"
}
namespace lab2 {
#include "lab2.cu"
}
namespace lab3 {
#include "lab3.cu"
}
namespace lab4 {
#include "lab4.cu"
}
namespace lab5 {
#include "lab5.cu"
}
namespace lab6 {
#include "lab6.cu"
}
namespace lab7 {
#include "lab7.cu"
}
namespace lab8 {
#include "lab8.cu"
}
namespace sum_f32 {
#include "lab9.cu"
}
#undef REDUCE_OP
#define REDUCE_OP 2
namespace min_f32 {
#include "lab9.cu"
}
#undef REDUCE_OP
#undef REDUCE_TYPE
#define REDUCE_OP 0
#define REDUCE_TYPE 0
namespace sum_i32 {
#include "lab9.cu"
}
#undef REDUCE_TYPE
#define REDUCE_TYPE 4
namespace sum_f64 {
#include "lab9.cu"
}
#undef REDUCE_OP
#undef REDUCE_TYPE
#define REDUCE_OP 7
#define REDUCE_TYPE 3
namespace argmax_f32 {
#include "lab10.cu"
}

static void ok(cudaError_t e, const char *call) {
    if (e == cudaSuccess) return;
    fprintf(stderr, "bench_gpu: %s: %s\n", call, cudaGetErrorString(e));
    exit(3);
}
#define OK(call) ok((call), #call)

enum { REPEATS = 64, M = 256, LEAST = 8, MAX = 30 };
static int multiprocessors, compute_capability /* such as 90 for 9.0 */;
static char *other; // data to read, which fill the caches
static float *sink;
static void *scratch[2];
static const size_t other_bytes = 256u << 20;

__global__ void read_all(const float4 *p, float *out, size_t n) {
    float s = 0;
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) s += p[i].x + p[i].y + p[i].z + p[i].w;
    if (s == 12345.678f) *out = s;
}
__global__ void fill(float *f, int *k, double *d, size_t n) {
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull) {
        const int x = (int)(i * 2654435761u >> 27) - 15;
        if (f) f[i] = (float)x;
        if (k) k[i] = x;
        if (d) d[i] = x;
    }
}
// Fills pairs, of which the last has the largest value.
__global__ void fill_pairs(argmax_f32::value_t *p, size_t n) {
    for (size_t i = blockIdx.x * 256ull + threadIdx.x; i < n; i += gridDim.x * 256ull)
        p[i] = {i == n - 1 ? 1e9f : (float)((unsigned)i * 2654435761u >> 8), (unsigned)i};
}
// Returns the interquartile mean. A median would select a mode: at two of every four positions in the driver's command ring, several launches
// take 0.7 us longer.
static double middle_mean(std::vector<float> &times) {
    std::sort(times.begin(), times.end());
    const size_t out = times.size() / 4;
    return std::accumulate(times.begin() + out, times.end() - out, 0.0) / (times.size() - 2 * out);
}
static float elapsed_ms(const std::function<void()> &run) {
    static cudaEvent_t begin, end;
    float ms;
    if (!begin) OK(cudaEventCreate(&begin)), OK(cudaEventCreate(&end));
    OK(cudaEventRecord(begin));
    run();
    OK(cudaEventRecord(end));
    OK(cudaEventSynchronize(end));
    OK(cudaGetLastError());
    OK(cudaEventElapsedTime(&ms, begin, end));
    return ms;
}
static double cold_us(const std::function<void()> &prepare, const std::function<void()> &run) {
    std::vector<float> times;
    for (int k = 0; k <= REPEATS; k++) {
        prepare();
        for (int r = rand() % 8; r; r--) read_all<<<1, 256>>>((float4 *)other, sink, 0); // start at a random position in the ring
        read_all<<<8 * multiprocessors, 256>>>((float4 *)other, sink, other_bytes / 16);
        const float ms = elapsed_ms(run); // the device is still reading, so it does not wait for the host
        if (k) times.push_back(1000 * ms); // the first run is a warm-up
    }
    return middle_mean(times);
}
// Times each kind of run back to back for about 3 ms, in turns. `check_result` checks the result.
typedef std::vector<std::function<void()>> runs_t;
static std::vector<double> in_a_row_us(const runs_t &runs, const std::function<void()> &check_result) {
    std::vector<std::vector<float>> times(runs.size());
    std::vector<int> count(runs.size(), 10);
    for (int k = 0; k <= REPEATS; k++)
        for (size_t i = 0; i < runs.size(); i++) {
            const float ms = elapsed_ms([&] {
                for (int r = 0; r < count[i]; r++) runs[i]();
            });
            check_result();
            if (k) times[i].push_back(1000 * ms / count[i]);
            else count[i] = std::max(5, std::min(300, (int)(3 * count[i] / ms)));
        }
    std::vector<double> us;
    for (std::vector<float> &t : times) us.push_back(middle_mean(t));
    return us;
}
// Returns the time of each run in microseconds, measured as in_a_row_us() does, with graphs of `count` runs.
static std::vector<double> in_a_graph_us(const runs_t &runs, int count, const std::function<void()> &check_result) {
    std::vector<cudaGraphExec_t> graphs;
    runs_t launches;
    for (const std::function<void()> &run : runs) {
        cudaGraph_t graph;
        cudaGraphExec_t all;
        OK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
        for (int r = 0; r < count; r++) run();
        OK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
        OK(cudaGraphInstantiate(&all, graph, 0));
        OK(cudaGraphDestroy(graph));
        graphs.push_back(all);
        launches.push_back([all] { OK(cudaGraphLaunch(all, cudaStreamPerThread)); });
    }
    std::vector<double> us = in_a_row_us(launches, check_result);
    for (double &t : us) t /= count;
    for (cudaGraphExec_t g : graphs) OK(cudaGraphExecDestroy(g));
    return us;
}

// ---- plans of launches ---------------------------------------------------------------------------------------------
static float *result; // where the last plan stored the total
static void again(const std::function<void(unsigned, float *, float *, unsigned)> &launch, float *in, unsigned n, unsigned each) {
    unsigned blocks;
    for (int k = 0;; k ^= 1) {
        float *out = (float *)scratch[k];
        blocks = (n + each - 1) / each;
        launch(blocks, in, out, n);
        in = result = out, n = blocks;
        if (blocks == 1) return;
    }
}
static unsigned full_grid(unsigned n) { return std::min(2048u / M * multiprocessors, std::max(1u, (n + M - 1) / M)); }
template <class K> static void two_stages(K kernel, const float *in, unsigned n, size_t shared) {
    const unsigned blocks = full_grid(n);
    kernel<<<blocks, M, shared>>>(in, (float *)scratch[0], n);
    kernel<<<1, M, shared>>>((float *)scratch[0], (float *)scratch[1], blocks);
    result = (float *)scratch[1];
}
// Launches lab 9 as the grader does (judge/tuning.c). With `early`, the launch may start before the previous one has ended, on GPUs that support this (compute capability 9.0 or later).
template <class T, class K>
static void tuned(K kernel, unsigned block, unsigned most, const T *in, T *out, unsigned n, bool early = false) {
    const unsigned vectors = (n + 16 / sizeof(T) - 1) / (16 / sizeof(T));
    cudaLaunchAttribute early_start{};
    early_start.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early_start.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t c{};
    c.gridDim = std::max(1u, std::min(most * multiprocessors, (vectors + block - 1) / block));
    c.blockDim = c.gridDim.x == 1 ? std::max(32u, block / 4) : block;
    c.dynamicSmemBytes = c.blockDim.x / 32 * sizeof(T);
    c.stream = cudaStreamPerThread;
    c.attrs = &early_start;
    c.numAttrs = early && compute_capability >= 90;
    OK(cudaLaunchKernelEx(&c, kernel, in, (T *)scratch[0], out, n));
}

// ---- measurements ------------------------------------------------------------------------------------------------
struct point {
    std::string what;
    int e; // 2^e elements
    double us, bytes;
};
static std::vector<point> points;
enum { IN_A_ROW = 5 };
static const char *const in_a_row[IN_A_ROW] = {"CUB back to back", "lab9 back to back", "lab9 early back to back", "CUB graph back to back", "lab9 graph back to back"};
static void check(double got, double expected, const char *what, int e) {
    if (std::fabs(got - expected) <= 1e-5 * std::fabs(expected) + 1) return;
    fprintf(stderr, "bench_gpu: %s at 2^%d: got %.9g, expected %.9g\n", what, e, got, expected);
    exit(1);
}
template <class T> static double value_at(const T *device) {
    T x;
    OK(cudaMemcpy(&x, device, sizeof x, cudaMemcpyDeviceToHost));
    return (double)x;
}
static void measure_labs(float *in, float *work, size_t cub_bytes, void *cub_space) {
    float *total = (float *)scratch[1];
    unsigned block, most;
    OK(cudaMemcpyFromSymbol(&block, sum_f32::block_size, sizeof block));
    OK(cudaMemcpyFromSymbol(&most, sum_f32::blocks_per_multiprocessor, sizeof most));
    for (int e = LEAST; e <= MAX; e += 2) {
        const unsigned n = 1u << e;
        const auto copy = [&] { OK(cudaMemcpyAsync(work, in, 4ull * n, cudaMemcpyDeviceToDevice)); };
        const auto nothing = [] {};
        const struct {
            const char *name;
            bool in_place;
            std::function<void()> run;
        } rows[] = {
            {"CUB", false, [&] { OK(cub::DeviceReduce::Sum(cub_space, cub_bytes, in, total, n)), result = total; }},
            {"lab1", true,
             [&] { again([](unsigned g, float *a, float *b, unsigned n) { lab1::reduce<<<g, M>>>(a, b, n); }, work, n, 2 * M); }},
            {"lab2", true,
             [&] { again([](unsigned g, float *a, float *b, unsigned n) { lab2::reduce<<<g, M>>>(a, b, n); }, work, n, 2 * M); }},
            {"lab3", false,
             [&] { again([](unsigned g, float *a, float *b, unsigned n) { lab3::reduce<<<g, M, 8 * M>>>(a, b, n); }, in, n, 2 * M); }},
            {"lab4", false, [&] { two_stages(lab4::reduce, in, n, 4 * M); }},
            {"lab5", false, [&] { two_stages(lab5::reduce, in, n, 4 * M + M / 8); }},
            {"lab6", false, [&] { two_stages(lab6::reduce, in, n, M / 8); }},
            {"lab7", false,
             [&] { lab7::reduce<<<full_grid(n), M, M / 8>>>(in, (float *)scratch[0], total, n), result = total; }},
            {"lab8", false,
             [&] { lab8::reduce<<<full_grid(n), M, 8 * M>>>(in, (float *)scratch[0], total, n), result = total; }},
            {"lab9", false, [&] { tuned(sum_f32::reduce, block, most, in, total, n), result = total; }},
        };
        double expected = 0;
        for (const auto &row : rows) {
            const double us = cold_us(row.in_place ? std::function<void()>(copy) : std::function<void()>(nothing), row.run);
            if (!expected) expected = value_at(result);
            check(value_at(result), expected, row.name, e);
            points.push_back({row.name, e, us, 4.0 * n});
        }
        const auto early = [&] { tuned(sum_f32::reduce, block, most, in, total, n, true); };
        const runs_t both = {rows[0].run, rows[sizeof rows / sizeof *rows - 1].run};
        const auto check_total = [&] { check(value_at(total), expected, "CUB or lab9 back to back", e); };
        std::vector<double> us = in_a_row_us({both[0], both[1], early}, check_total);
        for (double graph_us : in_a_graph_us(both, n < 1u << 26 ? 100 : 5, check_total)) us.push_back(graph_us);
        for (int k = 0; k < IN_A_ROW; k++) points.push_back({in_a_row[k], e, us[k], 4.0 * n});
    }
}
// lab 9 and CUB on other operators and types, at 2^28.
template <class T, class K, class C> static void measure_other(const char *name, T *in, K kernel, C cub_call, unsigned block, unsigned most) {
    const unsigned n = 1u << 28;
    size_t bytes = 0;
    void *space;
    T *total = (T *)scratch[1];
    OK(cub_call(nullptr, bytes, in, total, n));
    OK(cudaMalloc(&space, bytes));
    const double theirs = cold_us([] {}, [&] { OK(cub_call(space, bytes, in, total, n)); }), expected = value_at(total);
    const double ours = cold_us([] {}, [&] { tuned(kernel, block, most, in, total, n); });
    check(value_at(total), expected, name, 28);
    OK(cudaFree(space));
    points.push_back({std::string("CUB ") + name, 28, theirs, (double)sizeof(T) * n});
    points.push_back({std::string("lab9 ") + name, 28, ours, (double)sizeof(T) * n});
}
static void measure_others(float *f) {
    unsigned b[3], m[3];
    int *k;
    double *d;
    OK(cudaMemcpyFromSymbol(b, min_f32::block_size, 4)), OK(cudaMemcpyFromSymbol(m, min_f32::blocks_per_multiprocessor, 4));
    OK(cudaMemcpyFromSymbol(b + 1, sum_i32::block_size, 4)), OK(cudaMemcpyFromSymbol(m + 1, sum_i32::blocks_per_multiprocessor, 4));
    OK(cudaMemcpyFromSymbol(b + 2, sum_f64::block_size, 4)), OK(cudaMemcpyFromSymbol(m + 2, sum_f64::blocks_per_multiprocessor, 4));
    OK(cudaMalloc(&k, 4ull << 28)), OK(cudaMalloc(&d, 8ull << 28));
    fill<<<1024, 256>>>(nullptr, k, d, 1ull << 28);
    measure_other("min_f32", f, min_f32::reduce,
                  [](void *s, size_t &z, float *in, float *out, unsigned n) { return cub::DeviceReduce::Min(s, z, in, out, n); }, b[0], m[0]);
    measure_other("sum_i32", k, sum_i32::reduce,
                  [](void *s, size_t &z, int *in, int *out, unsigned n) { return cub::DeviceReduce::Sum(s, z, in, out, n); }, b[1], m[1]);
    measure_other("sum_f64", d, sum_f64::reduce,
                  [](void *s, size_t &z, double *in, double *out, unsigned n) { return cub::DeviceReduce::Sum(s, z, in, out, n); }, b[2], m[2]);
}

static void measure_pairs() {
    const unsigned n = 1u << 28;
    argmax_f32::value_t *in, got;
    OK(cudaMalloc(&in, sizeof *in * n));
    fill_pairs<<<1024, 256>>>(in, n);
    const double us = cold_us([] {}, [&] {
        argmax_f32::reduce<<<full_grid(n), M, sizeof *in * M / 32>>>(in, (argmax_f32::value_t *)scratch[0],
                                                                    (argmax_f32::value_t *)scratch[1], n);
    });
    OK(cudaMemcpy(&got, scratch[1], sizeof got, cudaMemcpyDeviceToHost));
    check(got.index, n - 1, "lab10", 28);
    OK(cudaFree(in));
    points.push_back({"lab10 argmax_f32", 28, us, (double)sizeof *in * n});
}

// ---- output ----------------------------------------------------------------------------------------------------------
static const char *const columns[] = {"CUB", "lab1", "lab2", "lab3", "lab4", "lab5", "lab6", "lab7", "lab8", "lab9"};
static double us_of(const std::string &what, int e) {
    for (const point &p : points)
        if (p.what == what && p.e == e) return p.us;
    return 0;
}
static void table(const cudaDeviceProp &p, int driver) {
    char date[32];
    const time_t now = time(nullptr);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    printf("%s, driver for CUDA %d.%d, %s. Sum of floats: microseconds; GB/s of lab 9 and how much faster it is than CUB.\n\n| elements |", p.name,
           driver / 1000, driver % 1000 / 10, date);
    for (const char *c : columns) printf(" %s |", c);
    printf(" GB/s | CUB / lab9 |\n|---|");
    for (size_t k = 0; k < sizeof columns / sizeof *columns + 2; k++) printf("---|");
    for (int e = LEAST; e <= MAX; e += 2) {
        printf("\n| 2^%d |", e);
        for (const char *c : columns) printf(" %.1f |", us_of(c, e));
        printf(" %.0f | %.2f |", 4e-3 * std::ldexp(1, e) / us_of("lab9", e), us_of("CUB", e) / us_of("lab9", e));
    }
    printf("\n\nBack to back on the same data, from one to the next:\n\n"
           "| elements | CUB | lab9 | CUB / lab9 | lab9 early | CUB / lab9 | CUB graph | lab9 graph | CUB / lab9 |\n|---|---|---|---|---|---|---|---|---|");
    for (int e = LEAST; e <= MAX; e += 2) {
        double us[IN_A_ROW];
        for (int k = 0; k < IN_A_ROW; k++) us[k] = us_of(in_a_row[k], e);
        printf("\n| 2^%d | %.1f | %.1f | %.2f | %.1f | %.2f | %.1f | %.1f | %.2f |", e, us[0], us[1], us[0] / us[1], us[2], us[0] / us[2], us[3], us[4],
               us[3] / us[4]);
    }
    printf("\n\n| 2^28 elements | CUB | lab9 | GB/s | CUB / lab9 |\n|---|---|---|---|---|\n");
    for (const char *name : {"min_f32", "sum_i32", "sum_f64"}) {
        const double theirs = us_of(std::string("CUB ") + name, 28), ours = us_of(std::string("lab9 ") + name, 28);
        printf("| %s | %.1f | %.1f | %.0f | %.2f |\n", name, theirs, ours, (strcmp(name, "sum_f64") ? 4e-3 : 8e-3) * std::ldexp(1, 28) / ours,
               theirs / ours);
    }
    printf("\n| 2^28 elements | GB/s | of lab 9's |\n|---|---|---|\n");
    const double of_lab9 = 4e-3 * std::ldexp(1, 28) / us_of("lab9", 28);
    for (const point &p : points)
        if (p.e == 28 && (p.what == "lab9" || p.what == "lab8" || p.what == "lab10 argmax_f32"))
            printf("| %s | %.0f | %.0f%% |\n", p.what.c_str(), 1e-3 * p.bytes / p.us, 100 * 1e-3 * p.bytes / p.us / of_lab9);
}
static void csv() {
    printf("what,elements,microseconds,bytes\n");
    for (const point &p : points) printf("%s,%.0f,%.3f,%.0f\n", p.what.c_str(), std::ldexp(1, p.e), p.us, p.bytes);
}
static void picture(const cudaDeviceProp &p) {
    static const char *const colors[] = {"var(--cub)", "#d62728", "#ff7f0e", "#bcbd22", "#2ca02c", "#17becf", "#1f77b4", "#9467bd", "#8c564b", "#c2185b"};
    const double roof = 4800; // GB/s, the H200's data sheet
    const auto x = [](int e) { return 70 + 600.0 * (e - LEAST) / (MAX - LEAST); };
    const auto y = [](double gbs) { return 360 - 300 * (std::log10(gbs) + 1) / 4.8; };
    printf("<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 820 420\" width=\"820\" height=\"420\" role=\"img\" aria-label=\"GB/s over the number "
           "of elements\">\n<style>:root{--cub:#444}text{font:12px system-ui,sans-serif;fill:#333}path{fill:none;stroke-width:2}.grid{stroke:#ddd;stroke-width:1}"
           ".roof{stroke:#c0392b;stroke-dasharray:6 4}@media(prefers-color-scheme:dark){:root{--cub:#ddd}text{fill:#ddd}.grid{stroke:#444}}</style>\n"
           "<text x=\"10\" y=\"20\">GB/s over the number of elements, sum of floats, %s</text>\n", p.name);
    for (double g = 0.1; g <= 1000; g *= 10)
        printf("<path class=\"grid\" d=\"M70 %.1fH670\"/><text x=\"30\" y=\"%.1f\">%g</text>\n", y(g), y(g) + 4, g);
    for (int e = LEAST; e <= MAX; e += 4) printf("<text x=\"%.1f\" y=\"385\">2^%d</text>\n", x(e) - 10, e);
    printf("<path class=\"roof\" d=\"M70 %.1fH670\"/><text x=\"680\" y=\"%.1f\">%.0f: data sheet</text>\n", y(roof), y(roof) + 4, roof);
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        printf("<path style=\"stroke:%s\" d=\"", colors[c]);
        for (int e = LEAST; e <= MAX; e += 2) printf("%c%.1f %.1f", e > LEAST ? 'L' : 'M', x(e), y(4e-3 * std::ldexp(1, e) / us_of(columns[c], e)));
        printf("\"/><text x=\"690\" y=\"%zu\" style=\"fill:%s\">%s</text>\n", 110 + 22 * c, colors[c], columns[c]);
    }
    printf("</svg>\n");
}
int main(int argc, char **argv) {
    cudaDeviceProp p;
    int driver = 0;
    float *in, *work;
    size_t cub_bytes = 0;
    void *cub_space;
    OK(cudaGetDeviceProperties(&p, 0));
    OK(cudaDriverGetVersion(&driver));
    multiprocessors = p.multiProcessorCount, compute_capability = 10 * p.major + p.minor;
    OK(cudaMalloc(&other, other_bytes)), OK(cudaMemset(other, 0, other_bytes)), OK(cudaMalloc(&sink, 4));
    OK(cudaMalloc(&in, 4ull << MAX)), OK(cudaMalloc(&work, 4ull << MAX));
    for (void *&s : scratch) OK(cudaMalloc(&s, 4ull << (MAX - 9)));
    fill<<<1024, 256>>>(in, nullptr, nullptr, 1ull << MAX);
    OK(cub::DeviceReduce::Sum(nullptr, cub_bytes, in, in, 1u << MAX));
    OK(cudaMalloc(&cub_space, cub_bytes));
    measure_labs(in, work, cub_bytes, cub_space);
    measure_others(in);
    measure_pairs();
    if (argc > 1 && !strcmp(argv[1], "--csv"))
        csv();
    else if (argc > 1 && !strcmp(argv[1], "--svg"))
        picture(p);
    else
        table(p, driver);
}
