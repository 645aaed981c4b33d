/* Reports the simulator's faults about texture and surface objects: wrong types, and accesses to texels that a surface
 * lacks. */
#include "probes/probe.h"

#include <stdio.h>

enum { MISUSE, OUTSIDE };
static const struct finding_kind kinds[] = {
    [MISUSE] = {.key = "texture-use",
                .title = "incorrect use of a texture or surface object",
                .explanation = "Each kind of object has its own functions: tex2D() reads a two-dimensional texture, "
                               "tex1Dfetch() reads linear memory, and surf2Dread() reads a surface. The fetched type "
                               "must be the type that the texture returns: float with cudaReadModeNormalizedFloat, "
                               "otherwise its element type. A surface's first coordinate is in bytes. A GPU does not "
                               "name any of these errors. It returns zeros or meaningless values, or stops the launch.",
                .rank = 120},
    [OUTSIDE] = {.key = "surface-bounds",
                 .title = "surface access out of range",
                 .explanation = "The coordinates are outside the surface. By default (cudaBoundaryModeTrap), a GPU "
                                "stops the launch without naming the line; cudaBoundaryModeZero and "
                                "cudaBoundaryModeClamp permit such coordinates. The first coordinate is in bytes: x * "
                                "sizeof(type). For textures, the address mode defines what such reads return.",
                 .rank = 50},
    [OUTSIDE + 1] = {NULL},
};

static void *create(struct measurement *m) { return m; }
static void fault(void *self, const struct sim_fault *e) {
    struct measurement *m = self;
    if (e->kind != SIM_FAULT_TEXTURE && e->kind != SIM_FAULT_SURFACE) return;
    struct finding f = {.kind = &kinds[e->kind == SIM_FAULT_SURFACE ? OUTSIDE : MISUSE],
                        .at = finding_site(e->where, e->pc, e->lanes),
                        .other.pc = UINT32_MAX};
    if (finding_recurs(&m->findings, &f)) return;
    char who[96];
    finding_who(measure_taught(m), e->where->warp, e->lanes, e->where->launched, who, sizeof who);
    if (e->kind == SIM_FAULT_TEXTURE)
        snprintf(f.message, sizeof f.message, "%s %s", who, e->text);
    else
        snprintf(f.message, sizeof f.message, "%s went outside surface `%s`: lane %u %s %s", who, e->object->name,
                 e->lane, e->access == SIM_STORE ? "wrote" : "read", e->text);
    finding_add(&m->findings, &f);
}
static void finish(void *self, struct measurement *m) { (void)self, (void)m; }

static const struct sim_probe callbacks = {.name = "textures", .fault = fault};
const struct probe_row probe_textures = {
    .name = "textures",
    .question = "are textures and surfaces used as declared?",
    .part_of = MEASURE_MEMORY | MEASURE_FAULTS,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .findings = kinds,
};
