/* Declarations that --trace and --step share: source locations, and pictures of lanes, registers and memory. */
#ifndef RUN_LOOK_H
#define RUN_LOOK_H

#include "run/run.h"
#include "sim/inspect.h"

/* ---- places (place.c) ----------------------------------------------------------------------- */
struct run_line {
    const char *file; /* name without folders; "" if unknown */
    uint32_t line;
    const char *text; /* text of the line; NULL if the file cannot be read */
};
struct run_line run_line_of(const struct sim_launch_info *launch, struct run_sources *s, uint32_t pc);
const struct ptx_function *run_function_of(const struct sim_launch_info *launch, uint32_t pc);
char *run_instruction_text(const struct sim_launch_info *launch, uint32_t pc, char *out, size_t size);
/* Draws one character per lane, such as "####....": # is an active lane, and . is an inactive lane of a thread that was
 * launched. */
char *run_mask_picture(uint32_t mask, uint32_t launched, char out[SIM_WARP + 1]);

/* ---- --trace (trace.c) ---------------------------------------------------------------------- */
/* Prints a source line without its indentation, with control characters replaced. */
void run_source_text(FILE *out, const char *text);
struct run_trace {
    const struct run_options *options;
    struct run_sources *sources;
    FILE *out;
    uint64_t shown, hidden; /* numbers of instructions */
    uint32_t block, warp, line;
    const char *file;
};
extern const struct sim_probe run_trace_probe;
void run_trace_end(const struct run_trace *t);

/* ---- inspecting a warp (look.c) ----------------------------------------------------------- */
struct run_look {
    FILE *out;
    const struct run *run;
    struct run_sources *sources;
    const struct sim_warp *warp;
    const struct sim_where *where;
    uint32_t lanes; /* lanes whose registers are shown */
};
/* Prints the warp's lanes and their source lines. */
void run_look_lanes(const struct run_look *l);
/* Prints a register, variable or range of memory. Uses the syntax of --step's command `print`. */
void run_look_print(const struct run_look *l, const char *expression);
/* Prints the registers that the instruction assigned in the lanes of l->lanes. */
void run_look_assigned(const struct run_look *l, const struct ptx_function *f, const struct ptx_insn *i);
/* Prints the registers that the instruction reads. */
void run_look_operands(const struct run_look *l, const struct ptx_function *f, const struct ptx_insn *i);

/* ---- --step (step.c) ------------------------------------------------------------------------ */
struct run_step;
extern const struct sim_probe run_step_probe;
struct run_step *run_step_new(const struct run *r, FILE *in, FILE *out);
bool run_step_quit(const struct run_step *s);
void run_step_free(struct run_step *s);

#endif
