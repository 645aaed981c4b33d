/* Launches by kernels (children.c): a grid's queue, and the state of a launch by the host with all its children. */
#ifndef SIM_CHILDREN_H
#define SIM_CHILDREN_H

#include "sim/sim.h"

struct sim_rows;
/* A child launch, a copy or a fill, or a request for a parameter buffer. */
struct sim_child {
    const struct ptx_function *kernel;
    struct sim_rows *rows; /* the copy or fill; NULL for a launch */
    uint32_t grid[3], block[3], shared;
    uint64_t buffer; /* parameter buffer, until the launch */
    uint32_t number; /* info.number of its launch */
    uint8_t *params;
    struct sim_child *next;
};
struct sim_children {
    struct sim_child *first, *last;
    unsigned count;
};
/* A launch with its child launches: its depth, and limits and counts for all of them. */
struct sim_nest {
    unsigned depth;
    uint32_t number, asked; /* number: info.number of the next launch; asked: child launches so far */
    uint64_t handles;       /* number of streams and events that kernels created */
    uint64_t budget, executed, spent, products, launches;
    unsigned parts;
};
typedef enum sim_status sim_launcher(struct sim *s, const struct sim_launch *launch, struct sim_nest *nest,
                                     struct sim_error *error);
struct sim_run;
/* Runs the child grids after the kernel's own grid. */
enum sim_status sim_run_children(struct sim_run *run, const struct sim_launch *parent, sim_launcher *launch,
                                 struct sim_nest *nest, struct sim_error *error);
void sim_forget_children(struct sim_run *run);
void sim_report_unseen(struct sim_run *run); /* reports run->unseen */

#endif
