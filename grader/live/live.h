/* The simulator in a web page. Runs a case of a kernel as the judge does, and returns the outcome as JSON. wasm.sh
 * compiles this code and its dependencies to the module that pages contain, and module.js calls it. The native build
 * is for tests. */
#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

#include <stdint.h>

/* Runs a job in the format of judge/job.h. Returns the answer, which the caller must free(), or NULL if out of
 * memory.
 *
 *   {"fault": "..."}      if the job is invalid or the PTX cannot be loaded; otherwise
 *   {"end": "right",      or "wrong", "stopped"
 *    "result": "36", "expected": "36", "message": "",
 *    "cycles": 19647.9,   modeled, on the GPU that determines the points
 *    "mhz": 1980,         that GPU's clock
 *    "counts": {...}, "steps": [...], "findings": [...]}   as in a record */
char *live_run(const char *job);

/* Runs one launch of any kernel and returns the details, for interactive diagrams (grader/site/). `text` consists of
 * lines, an empty line, and PTX:
 *
 *   kernel banks
 *   grid 1                       default 1
 *   block 32                     default 32
 *   schedule warp=1              optional; same syntax as `./grade run --schedule`
 *   observe 2                    block whose steps and accesses are reported; default 0
 *   arg out int[64]:iota         a line for each parameter, in order: a name, and a value in the syntax of `./grade run
 *   arg stride 2                 --arg`, except structs, files, and buffers of more than 65536 elements
 *
 *   {"fault": "..."}  or  {"message": "",          why the launch ended early, or ""
 *                          "buffers": {"out": [0, 1, ...]},
 *                          "cycles": 1234.5, "mhz": 1980,   modeled
 *                          "gpu": {"sms": 132, "bytes": 2424},   SMs, and DRAM bytes per cycle
 *                          "counts": {...}, "steps": [...], "findings": [...],
 *                          "accesses": [...]}      as in the pictures of a record */
char *live_show(const char *text);

/* Launches the kernel `k(out, in)` once, without measurements. *out is input and output. Returns NULL if the launch
 * finished, otherwise the reason; free() it. */
struct live_launch {
    uint32_t grid, block, shared, in_bytes, out_bytes;
};
char *live_launch(const char *ptx, const struct live_launch *launch, const void *in, void *out);

#endif
