/* Declares the kernels, checks and points of lab 11. */
#include "judge/lab.h"

enum { PORTABLE_CLUSTER = 8 }; /* the largest cluster size that every GPU with clusters supports */
static const struct lab_kernel kernels[] = {
    {.name = "reduce",
     .input = "in",
     .scratch = "partial",
     .output = "total",
     .elements = 2,
     .shared_warp_values = 1,
     .grid_stride = true,
     .cluster = PORTABLE_CLUSTER,
     .finish = FINISH_ITSELF},
};
static const struct lab_check checks[] = {
    {"one-cluster", "correct on one cluster, three launches back to back", 20, NULL, check_one_block},
    {"many-clusters", "correct for any number of clusters of any size", 20, "one-cluster", check_many_blocks},
    {"rounding", "sums of floats within the error bound", 5, "one-cluster", check_rounding},
    {"findings", "no race, no barrier fault, no block leaves its cluster early", 25, "many-clusters", check_findings,
     .explains = true},
    {"steps", "blocks of a cluster share memory; one atomic per cluster", 10, "findings", check_steps},
    {"memory", "no more sectors or bank conflicts than the reference", 5, "findings", check_memory},
    {"predictions", "predictions.txt agrees with the counts", 10, "findings", check_predictions},
    {"speed", "modeled time vs. reference", 5, "findings", check_speed},
};
static const char *const predictions[] = {"barriers", "cluster_requests", "global_sectors", NULL};

const struct lab lab11 = {
    .id = "lab11",
    .name = "cluster",
    .title = "Blocks that reduce together",
    .learns = "clusters, distributed shared memory",
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof *kernels,
    .variants = VARIANTS_SCALAR,
    .checks = checks,
    .check_count = sizeof checks / sizeof *checks,
    .technique = CLUSTER_MEMORY | ONE_ATOMIC_A_CLUSTER | ANY_STEPS,
    .predictions = predictions,
    .own = OWN_COMMUTES,
    .speed_full = 1.10,
    .speed_none = 2.0,
    .arch = 90,
};
