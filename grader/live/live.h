/* The simulator in a page: one case of one kernel, run as the judge runs it, and told as JSON. wasm.sh compiles it,
 * with all that it needs, to the module that pages hold; live.js calls it there. Here it is for tests. */
#ifndef LIVE_LIVE_H
#define LIVE_LIVE_H

#include <stdint.h>

/* `job`: judge/job.h. The answer, free() it; NULL: no memory.
 *
 *   {"fault": "..."}      the job is none, or the PTX cannot be loaded here; else
 *   {"end": "right",      or "wrong", "stopped"
 *    "result": "36", "expected": "36", "message": "",
 *    "cycles": 19647.9,   modeled, on the GPU that points are given by; and its clock
 *    "mhz": 1980,
 *    "counts": {...}, "steps": [...], "findings": [...]}   as in a record */
char *live_run(const char *job);

/* One launch of any kernel, looked at closely: for pictures that the reader changes (grader/site/). `text` is lines, an
 * empty one, and PTX:
 *
 *   kernel banks
 *   grid 1
 *   block 32
 *   schedule warp=1              only where an order is chosen, as `./grade run --schedule` takes it
 *   observe 2                    the block whose steps and accesses are told; default 0
 *   arg out int[64]:iota         a name, and what `./grade run --arg` takes: a buffer of int or float with `iota` or a
 *   arg stride 2                 number in each element; or a whole number
 *
 *   {"fault": "..."}  or  {"message": "",          why the launch ended early
 *                          "buffers": {"out": [0, 1, ...]},
 *                          "cycles": 1234.5, "mhz": 1980,      modeled; and the GPU's SMs and DRAM bytes a cycle:
 *                          "gpu": {"sms": 132, "bytes": 2424},
 *                          "counts": {...}, "steps": [...], "findings": [...],
 *                          "accesses": [...]}      the last as in the pictures of a record */
char *live_show(const char *text);

/* One launch of the kernel `k(out, in)`, with nothing measured: *out is what was there before and what is there
 * afterwards. NULL: it came to its end; else why not: free() it. */
struct live_launch {
    uint32_t grid, block, shared, in_bytes, out_bytes;
};
char *live_launch(const char *ptx, const struct live_launch *launch, const void *in, void *out);

#endif
