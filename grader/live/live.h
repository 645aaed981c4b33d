/* The simulator in a web page. Runs one case of one kernel as the judge does, and reports the outcome as JSON.
 * wasm.sh compiles it, with its dependencies, to the module in pages; live.js calls it there. This native build is
 * for tests. */
#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

#include <stdint.h>

/* Runs a job, in the format of judge/job.h. Returns the answer, which the caller must free(), or NULL if out of memory.
 *
 *   {"fault": "..."}      the job is invalid, or the PTX cannot be loaded; else
 *   {"end": "right",      or "wrong", "stopped"
 *    "result": "36", "expected": "36", "message": "",
 *    "cycles": 19647.9,   modeled, on the GPU that decides points; and its clock
 *    "mhz": 1980,
 *    "counts": {...}, "steps": [...], "findings": [...]}   as in a record */
char *live_run(const char *job);

/* Runs one launch of any kernel and reports it in detail, for interactive pictures (grader/site/). `text` is lines, an
 * empty one, and PTX:
 *
 *   kernel banks
 *   grid 1
 *   block 32
 *   schedule warp=1              only if an order is chosen; same syntax as `./grade run --schedule`
 *   observe 2                    the block whose steps and accesses are reported; default 0
 *   arg out int[64]:iota         a name, and the syntax of `./grade run --arg`: a buffer of int or float with `iota`
 *   arg stride 2                 or a number in each element; or an integer
 *
 *   {"fault": "..."}  or  {"message": "",          why the launch ended early
 *                          "buffers": {"out": [0, 1, ...]},
 *                          "cycles": 1234.5, "mhz": 1980,      modeled; and the GPU's SMs and DRAM bytes per cycle:
 *                          "gpu": {"sms": 132, "bytes": 2424},
 *                          "counts": {...}, "steps": [...], "findings": [...],
 *                          "accesses": [...]}      as in the pictures of a record */
char *live_show(const char *text);

/* Launches the kernel `k(out, in)` once, without measurements. *out is both input and output. Returns NULL if the
 * launch finished; else the reason, free() it. */
struct live_launch {
    uint32_t grid, block, shared, in_bytes, out_bytes;
};
char *live_launch(const char *ptx, const struct live_launch *launch, const void *in, void *out);

#endif
