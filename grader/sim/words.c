/* Handlers for modifiers such as .rz, .sat and .relu. Most of them wrap another handler. */
#include "sim/decoding.h"
#include <fenv.h>
#include <string.h>

#ifdef FE_TOWARDZERO
enum { HOST_ROUNDS = true };
#else /* WebAssembly */
enum { HOST_ROUNDS = false, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };
#endif

/* Executes .rz, .rm and .rp with the host's rounding mode. The compiler cannot move computations across the changes of
 * the mode, because the inner handler accesses memory. */
static void exec_rounded(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    enum ptx_mod m = ptx_mod_of(i->source, PTX_CLASS_ROUND);
    int old = fegetround();
    fesetround(m == PTX_MOD_RZ ? FE_TOWARDZERO : m == PTX_MOD_RM ? FE_DOWNWARD : FE_UPWARD);
    i->inner(w, i, mask);
    fesetround(old);
}
/* Saturates a float result (.sat). NaN becomes +0. */
static void saturate(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    float *f = sim_row(w, i->d);
    double *g = sim_row(w, i->d);
    const bool wide = i->source->type == PTX_F64;
    SIM_EACH_LANE (l, mask) {
        if (wide)
            g[l] = g[l] > 1 ? 1 : g[l] > 0 ? g[l] : 0;
        else
            f[l] = f[l] > 1 ? 1 : f[l] > 0 ? f[l] : 0;
    }
}
static void exec_saturated(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    i->inner(w, i, mask);
    saturate(w, i, mask);
}
static void exec_rounded_saturated(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    exec_rounded(w, i, mask);
    saturate(w, i, mask);
}
/* Clamps 16-bit floats (.sat, .relu). Negative values become 0. NaN becomes 0 with .sat and stays NaN with .relu. */
static void exec_clamped_half(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const enum ptx_type t = i->source->type;
    const bool brain = t == PTX_BF16 || t == PTX_BF16X2, pair = ptx_type_bits(t) == 32;
    const bool sat = ptx_mod_of(i->source, PTX_CLASS_SAT) != PTX_MOD_NONE;
    const uint16_t one = brain ? 0x3f80 : 0x3c00, infinity = brain ? 0x7f80 : 0x7c00;
    uint16_t *d = sim_row(w, i->d);
    i->inner(w, i, mask);
    for (unsigned l = 0; l < (pair ? 2 : 1) * SIM_WARP; l++) {
        if (!(mask >> (pair ? l / 2 : l) & 1)) continue;
        const bool nan = (d[l] & 0x7fff) > infinity;
        if (nan ? sat : d[l] & 0x8000) d[l] = 0;
        if (!nan && sat && d[l] > one) d[l] = one;
    }
}
/* Executes add.sat.s32, sub.sat.s32 and mad.hi.sat.s32. */
static void exec_saturated_s32(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const int32_t *a = sim_row(w, i->a), *b = sim_row(w, i->b), *c = sim_row(w, i->c);
    int32_t *d = sim_row(w, i->d);
    SIM_EACH_LANE (l, mask) {
        int64_t x = i->source->op == PTX_OP_add_int   ? (int64_t)a[l] + b[l]
                    : i->source->op == PTX_OP_sub_int ? (int64_t)a[l] - b[l]
                                                      : ((int64_t)a[l] * b[l] >> 32) + c[l];
        d[l] = x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x;
    }
}
static bool float_type(enum ptx_type t) { return t == PTX_F32 || t == PTX_F64; }
static bool half_type(enum ptx_type t) { return t == PTX_F16 || t == PTX_F16X2 || t == PTX_BF16 || t == PTX_BF16X2; }
/* Clamps integers (.relu): .s32, and both halves of .s16x2. */
static void exec_clamped_int(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    int32_t *d = sim_row(w, i->d);
    int16_t *halves = sim_row(w, i->d);
    i->inner(w, i, mask);
    SIM_EACH_LANE (l, mask) {
        if (i->source->type == PTX_S32)
            d[l] = d[l] < 0 ? 0 : d[l];
        else
            for (unsigned k = 2 * l; k < 2 * l + 2; k++) halves[k] = halves[k] < 0 ? 0 : halves[k];
    }
}
bool sim_add_words(struct sim_insn *i) {
    const struct ptx_insn *p = i->source;
    const enum ptx_mod round = ptx_mod_of(p, PTX_CLASS_ROUND);
    /* The handlers of these instructions saturate results themselves. */
    const bool converts = !strcmp(ptx_ops[p->op].mnemonic, "cvt") || i->exec == sim_exec_video;
    const bool rounded = round == PTX_MOD_RZ || round == PTX_MOD_RM || round == PTX_MOD_RP;
    const bool saturated = ptx_mod_of(p, PTX_CLASS_SAT) == PTX_MOD_SAT && !converts;
    const bool relu = ptx_mod_of(p, PTX_CLASS_RELU) != PTX_MOD_NONE && !converts;
    if (relu && !half_type(p->type)) {
        i->inner = i->exec;
        i->exec = exec_clamped_int;
    } else if (half_type(p->type) && (saturated || relu)) {
        i->inner = i->exec;
        i->exec = exec_clamped_half;
    } else if (saturated && !float_type(p->type)) {
        i->exec = exec_saturated_s32;
    } else if (saturated || rounded) {
        i->inner = i->exec;
        i->exec = !saturated ? exec_rounded : rounded ? exec_rounded_saturated : exec_saturated;
    }
    return HOST_ROUNDS || !rounded;
}
