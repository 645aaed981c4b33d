/* Restricts modifiers further: ops.def only names the classes that a row allows. A row accepts all modifiers of these
 * classes, unless a rule in this file lists the allowed ones. Rules for a row override the rules for all rows. */
#include "ptx/parser.h"
#include <string.h>

static const struct {
    const char *text;
    uint8_t class, mod;
} modifiers[] = {
#define CLASS(name, doc)
#define MOD(class, name, text) {text, PTX_CLASS_##class, PTX_MOD_##name},
#include "ptx/mods.def"
};
enum { MODIFIERS = sizeof modifiers / sizeof *modifiers };

const char *ptx_mod_text(enum ptx_mod m) { return m == PTX_MOD_NONE ? "" : modifiers[m - 1].text; }
enum ptx_mod ptx_mod_named(enum ptx_op op, const char *text, size_t length, unsigned *class_found) {
    for (unsigned k = 0; k < MODIFIERS; k++)
        if (ptx_ops[op].allow >> modifiers[k].class & 1 && strlen(modifiers[k].text) == length &&
            !memcmp(modifiers[k].text, text, length)) {
            *class_found = modifiers[k].class;
            return (enum ptx_mod)modifiers[k].mod;
        }
    return PTX_MOD_NONE;
}

/* ---- rules ----------------------------------------------------------------------------------------------------- */
#define T(name) (1u << PTX_##name)
#define UNSIGNED (T(U16) | T(U32) | T(U64))
#define SIGNED (T(S16) | T(S32) | T(S64))
#define BITS (T(B16) | T(B32) | T(B64))
#define FLOATS (T(F32) | T(F64))
#define HALF (T(F16) | T(F16X2))
#define BRAIN (T(BF16) | T(BF16X2))
#define ANY_TYPE UINT32_MAX
#define M(name) PTX_MOD_##name
#define NARROW_FLOATS (HALF | BRAIN)
#define NARROW (T(S4) | T(U4) | T(B1))
enum { ANY_OP = PTX_OP_COUNT, MAX_RULE_WORDS = 14 };
/* A rule lists the allowed modifiers of a class. `needed`: the instruction must have one of them. `types`: the rule
 * applies if the instruction's type is in this set; for `set`, the type of the compared values counts. */
struct rule {
    uint16_t op;
    uint8_t class;
    bool needed;
    uint32_t types;
    uint8_t words[MAX_RULE_WORDS];
};
#define RULE(op, class, needed, types, ...)                                                                            \
    {                                                                                                                  \
        op, PTX_CLASS_##class, needed, types, { __VA_ARGS__ }                                                          \
    }
#define OP(id) PTX_OP_##id
#define TENSORS M(IN_1D), M(IN_2D), M(IN_3D), M(IN_4D), M(IN_5D)
#define ORDERED M(EQ), M(NE), M(LT), M(LE), M(GT), M(GE)
#define SCALAR_VIDEO(op)                                                                                               \
    RULE(OP(op), SAT, false, ANY_TYPE, M(SAT)), RULE(OP(op), OPERATION, false, ANY_TYPE, M(ADD), M(MIN), M(MAX))
#define SPARSE(op)                                                                                                     \
    RULE(OP(op), SHAPE, true, T(F16), M(M16N8K16), M(M16N8K32), M(M16N8K64)),                                          \
        RULE(OP(op), SHAPE, true, T(F32), M(M16N8K8), M(M16N8K16), M(M16N8K32), M(M16N8K64)),                          \
        RULE(OP(op), SHAPE, true, T(S32), M(M16N8K32), M(M16N8K64), M(M16N8K128)),                                     \
        RULE(OP(op), SATFINITE, false, T(S32), M(SATFINITE))
#define PACKED_VIDEO(op) RULE(OP(op), SAT, false, ANY_TYPE, M(SAT)), RULE(OP(op), OPERATION, false, ANY_TYPE, M(ADD))
static const struct rule rules[] = {
    RULE(ANY_OP, ROUND, false, FLOATS, M(RN), M(RZ), M(RM), M(RP)),
    RULE(OP(fma_half), ROUND, true, HALF | BRAIN, M(RN)),
    RULE(ANY_OP, ROUND, false, HALF | BRAIN, M(RN)),
    RULE(OP(cvt_pair), ROUND, true, HALF | BRAIN, M(RN), M(RZ)),
    RULE(OP(cvt_fp8), ROUND, true, ANY_TYPE, M(RN)),
    RULE(OP(cvt_fp8_halves), ROUND, true, ANY_TYPE, M(RN)),
    RULE(OP(cvt_halves_fp8), ROUND, true, ANY_TYPE, M(RN)),
    RULE(OP(cvt_tf32), ROUND, true, ANY_TYPE, M(RN), M(RZ), M(RNA)),
    RULE(OP(cvt_fp8), SATFINITE, true, ANY_TYPE, M(SATFINITE)),
    RULE(OP(cvt_fp8_halves), SATFINITE, true, ANY_TYPE, M(SATFINITE)),
    RULE(OP(cvt), ROUND, false, ANY_TYPE, M(RN), M(RZ), M(RM), M(RP), M(RNI), M(RZI), M(RMI), M(RPI)),
    RULE(ANY_OP, FTZ, false, T(F32) | HALF, M(FTZ)),
    RULE(OP(ex2_half), FTZ, false, HALF, M(FTZ)),
    RULE(OP(ex2_half), FTZ, true, BRAIN, M(FTZ)),
    RULE(OP(rcp), FTZ, false, FLOATS, M(FTZ)),
    RULE(OP(rsqrt), FTZ, false, FLOATS, M(FTZ)),
    RULE(OP(cvt), FTZ, false, ANY_TYPE, M(FTZ)),
    RULE(OP(slct), FTZ, false, ANY_TYPE, M(FTZ)),
    RULE(ANY_OP, SAT, false, T(S32) | T(F32) | HALF, M(SAT)),
    RULE(OP(cvt), SAT, false, ANY_TYPE, M(SAT)),
    RULE(OP(div_flt), APPROX, false, T(F32), M(APPROX), M(FULL)),
    RULE(OP(rcp), APPROX, false, FLOATS, M(APPROX)),
    RULE(OP(sqrt), APPROX, false, T(F32), M(APPROX)),
    RULE(OP(rsqrt), APPROX, true, FLOATS, M(APPROX)),
    RULE(ANY_OP, APPROX, true, T(F32) | HALF | BRAIN, M(APPROX)),
    RULE(OP(min_int), RELU, false, T(S32), M(RELU)),
    RULE(OP(max_int), RELU, false, T(S32), M(RELU)),
    RULE(OP(min_pair), RELU, false, T(S16X2), M(RELU)),
    RULE(OP(max_pair), RELU, false, T(S16X2), M(RELU)),
    RULE(ANY_OP, RELU, false, ANY_TYPE, M(RELU)),
    RULE(ANY_OP, CMP, true, UNSIGNED, ORDERED, M(CMP_LO), M(LS), M(CMP_HI), M(HS)),
    RULE(ANY_OP, CMP, true, SIGNED, ORDERED),
    RULE(ANY_OP, CMP, true, BITS, M(EQ), M(NE)),
    RULE(ANY_OP, CMP, true, FLOATS | HALF | BRAIN, ORDERED, M(EQU), M(NEU), M(LTU), M(LEU), M(GTU), M(GEU), M(CMP_NUM),
         M(CMP_NAN)),
    RULE(OP(setp), OPERATION, false, ANY_TYPE, M(AND), M(OR), M(XOR)),
    RULE(OP(set), OPERATION, false, ANY_TYPE, M(AND), M(OR), M(XOR)),
    RULE(OP(atom), OPERATION, true, T(B16), M(CAS)),
    RULE(OP(atom), OPERATION, true, T(B32) | T(B64), M(AND), M(OR), M(XOR), M(EXCH), M(CAS)),
    RULE(OP(atom), OPERATION, true, T(U32), M(ADD), M(MIN), M(MAX), M(INC), M(DEC)),
    RULE(OP(atom), OPERATION, true, T(S32) | T(U64) | T(S64), M(ADD), M(MIN), M(MAX)),
    RULE(OP(atom), OPERATION, true, FLOATS | HALF | BRAIN, M(ADD)),
    RULE(OP(atom_vector), OPERATION, true, T(F32), M(ADD)),
    RULE(OP(red_vector), OPERATION, true, T(F32), M(ADD)),
    RULE(OP(atom_pair), OPERATION, true, ANY_TYPE, M(EXCH), M(CAS)),
    RULE(OP(atom_pair), VEC, true, ANY_TYPE, M(V2)),
    RULE(OP(atom_pair), SEM, false, ANY_TYPE, M(RELAXED), M(ACQUIRE), M(RELEASE), M(ACQ_REL)),
    RULE(OP(atom_vector), OPERATION, true, NARROW_FLOATS, M(ADD), M(MIN), M(MAX)),
    RULE(OP(red_vector), OPERATION, true, NARROW_FLOATS, M(ADD), M(MIN), M(MAX)),
    RULE(OP(atom_vector), VEC, true, T(F32) | T(F16X2) | T(BF16X2), M(V2), M(V4)),
    RULE(OP(red_vector), VEC, true, T(F32) | T(F16X2) | T(BF16X2), M(V2), M(V4)),
    RULE(OP(atom_vector), VEC, true, T(F16) | T(BF16), M(V2), M(V4), M(V8)),
    RULE(OP(red_vector), VEC, true, T(F16) | T(BF16), M(V2), M(V4), M(V8)),
    RULE(ANY_OP, NOFTZ, true, HALF | BRAIN, M(NOFTZ)),
    RULE(OP(red), OPERATION, true, T(B32) | T(B64), M(AND), M(OR), M(XOR)),
    RULE(OP(red), OPERATION, true, T(U32), M(ADD), M(MIN), M(MAX), M(INC), M(DEC)),
    RULE(OP(red), OPERATION, true, T(S32) | T(U64) | T(S64), M(ADD), M(MIN), M(MAX)),
    RULE(OP(red), OPERATION, true, FLOATS | HALF | BRAIN, M(ADD)),
    RULE(OP(redux), OPERATION, true, T(U32) | T(S32), M(ADD), M(MIN), M(MAX)),
    RULE(OP(redux), OPERATION, true, T(B32), M(AND), M(OR), M(XOR)),
    RULE(OP(bar_red_pred), OPERATION, true, ANY_TYPE, M(AND), M(OR)),
    RULE(OP(barrier_red_pred), OPERATION, true, ANY_TYPE, M(AND), M(OR)),
    RULE(OP(testp), MODE, true, ANY_TYPE, M(FINITE), M(INFINITE), M(NUMBER), M(NOTANUMBER), M(NORMAL), M(SUBNORMAL)),
    RULE(OP(prmt), MODE, false, ANY_TYPE, M(F4E), M(B4E), M(RC8), M(ECL), M(ECR), M(RC16)),
    RULE(OP(shfl), MODE, true, ANY_TYPE, M(UP), M(DOWN), M(BFLY), M(IDX)),
    RULE(OP(fence_acquire), SCOPE, true, ANY_TYPE, M(CLUSTER)),
    RULE(OP(fence_release), SCOPE, true, ANY_TYPE, M(CLUSTER)),
    RULE(OP(fence_proxy_acquire), SCOPE, true, ANY_TYPE, M(CLUSTER)),
    RULE(OP(fence_proxy_release), SCOPE, true, ANY_TYPE, M(CLUSTER)),
    RULE(OP(shfl_active), MODE, true, ANY_TYPE, M(UP), M(DOWN), M(BFLY), M(IDX)),
    RULE(OP(vote), MODE, true, ANY_TYPE, M(ALL), M(ANY), M(MODE_UNI)),
    RULE(OP(vote_active), MODE, true, ANY_TYPE, M(ALL), M(ANY), M(MODE_UNI)),
    RULE(OP(ld), SEM, false, ANY_TYPE, M(WEAK), M(VOLATILE), M(RELAXED), M(ACQUIRE)),
    RULE(OP(st), SEM, false, ANY_TYPE, M(WEAK), M(VOLATILE), M(RELAXED), M(RELEASE)),
    RULE(OP(atom), SEM, false, ANY_TYPE, M(RELAXED), M(ACQUIRE), M(RELEASE), M(ACQ_REL)),
    RULE(OP(atom_vector), SEM, false, ANY_TYPE, M(RELAXED), M(ACQUIRE), M(RELEASE), M(ACQ_REL)),
    RULE(OP(red), SEM, false, ANY_TYPE, M(RELAXED), M(RELEASE)),
    RULE(OP(red_vector), SEM, false, ANY_TYPE, M(RELAXED), M(RELEASE)),
    RULE(OP(ldmatrix), MATRICES, true, ANY_TYPE, M(X1), M(X2), M(X4)),
    RULE(OP(stmatrix), MATRICES, true, ANY_TYPE, M(X1), M(X2), M(X4)),
    RULE(OP(mma), SHAPE, true, T(F16), M(M8N8K4), M(M16N8K8), M(M16N8K16), M(M16N8K32)),
    RULE(OP(mma), SHAPE, true, T(F32), M(M8N8K4), M(M16N8K4), M(M16N8K8), M(M16N8K16), M(M16N8K32)),
    RULE(OP(mma_rr), SHAPE, true, ANY_TYPE, M(M8N8K4)),
    RULE(OP(mma_cr), SHAPE, true, ANY_TYPE, M(M8N8K4)),
    RULE(OP(mma_cc), SHAPE, true, ANY_TYPE, M(M8N8K4)),
    SPARSE(mma_sparse),
    SPARSE(mma_sparse_ordered),
    RULE(OP(mma), SHAPE, true, T(F64), M(M8N8K4), M(M16N8K4), M(M16N8K8), M(M16N8K16)),
    RULE(OP(mma), SHAPE, true, T(S32), M(M8N8K16), M(M16N8K16), M(M16N8K32), M(M8N8K32), M(M16N8K64)),
    RULE(OP(mma_bits), SHAPE, true, ANY_TYPE, M(M8N8K128), M(M16N8K128), M(M16N8K256)),
    RULE(OP(mma_bits), OPERATION, true, ANY_TYPE, M(XOR), M(AND)),
    RULE(OP(mma), ROUND, false, T(F64), M(RN)),
    RULE(OP(mma), SATFINITE, false, T(S32), M(SATFINITE)),
    RULE(OP(wgmma), SATFINITE, false, T(S32), M(SATFINITE)),
    RULE(OP(wmma_load_a), LAYOUT, true, NARROW, M(ROWS)),
    RULE(OP(wmma_load_a), SHAPE, true, T(S4) | T(U4), M(M8N8K32)),
    RULE(OP(wmma_load_a), SHAPE, true, T(B1), M(M8N8K128)),
    RULE(OP(wmma_load_a), LAYOUT, true, ~NARROW, M(ROWS), M(COLUMNS)),
    RULE(OP(wmma_load_a), SHAPE, true, T(F16) | T(BF16) | T(S8) | T(U8), M(M16N16K16), M(M32N8K16), M(M8N32K16)),
    RULE(OP(wmma_load_a), SHAPE, true, T(TF32), M(M16N16K8)),
    RULE(OP(wmma_load_a), SHAPE, true, T(F64), M(M8N8K4)),
    RULE(OP(wmma_load_b), LAYOUT, true, NARROW, M(COLUMNS)),
    RULE(OP(wmma_load_b), SHAPE, true, T(S4) | T(U4), M(M8N8K32)),
    RULE(OP(wmma_load_b), SHAPE, true, T(B1), M(M8N8K128)),
    RULE(OP(wmma_load_b), LAYOUT, true, ~NARROW, M(ROWS), M(COLUMNS)),
    RULE(OP(wmma_load_b), SHAPE, true, T(F16) | T(BF16) | T(S8) | T(U8), M(M16N16K16), M(M32N8K16), M(M8N32K16)),
    RULE(OP(wmma_load_b), SHAPE, true, T(TF32), M(M16N16K8)),
    RULE(OP(wmma_load_b), SHAPE, true, T(F64), M(M8N8K4)),
    RULE(OP(wmma_load_c), LAYOUT, true, ANY_TYPE, M(ROWS), M(COLUMNS)),
    RULE(OP(wmma_load_c), SHAPE, true, T(F16), M(M16N16K16), M(M32N8K16), M(M8N32K16)),
    RULE(OP(wmma_load_c), SHAPE, true, T(S32), M(M16N16K16), M(M32N8K16), M(M8N32K16), M(M8N8K32), M(M8N8K128)),
    RULE(OP(wmma_load_c), SHAPE, true, T(F32), M(M16N16K16), M(M32N8K16), M(M8N32K16), M(M16N16K8)),
    RULE(OP(wmma_load_c), SHAPE, true, T(F64), M(M8N8K4)),
    RULE(OP(wmma_store), LAYOUT, true, ANY_TYPE, M(ROWS), M(COLUMNS)),
    RULE(OP(wmma_store), SHAPE, true, T(F16), M(M16N16K16), M(M32N8K16), M(M8N32K16)),
    RULE(OP(wmma_store), SHAPE, true, T(S32), M(M16N16K16), M(M32N8K16), M(M8N32K16), M(M8N8K32), M(M8N8K128)),
    RULE(OP(wmma_store), SHAPE, true, T(F32), M(M16N16K16), M(M32N8K16), M(M8N32K16), M(M16N16K8)),
    RULE(OP(wmma_store), SHAPE, true, T(F64), M(M8N8K4)),
    RULE(OP(wmma_nibbles), SHAPE, true, ANY_TYPE, M(M8N8K32)),
    RULE(OP(wmma_nibbles), SATFINITE, false, ANY_TYPE, M(SATFINITE)),
    RULE(OP(wmma_bits), SHAPE, true, ANY_TYPE, M(M8N8K128)),
    RULE(OP(wmma_bits), OPERATION, true, ANY_TYPE, M(XOR), M(AND)),
    RULE(OP(wmma_half_rc), SHAPE, true, ANY_TYPE, M(M16N16K16), M(M32N8K16), M(M8N32K16)),
    RULE(OP(wmma_rc), SHAPE, true, T(S32), M(M16N16K16), M(M32N8K16), M(M8N32K16)),
    RULE(OP(wmma_rc), SHAPE, true, T(F32), M(M16N16K16), M(M32N8K16), M(M8N32K16), M(M16N16K8)),
    RULE(OP(wmma_rc), SHAPE, true, T(F64), M(M8N8K4)),
    RULE(OP(wmma_rc), ROUND, false, T(F64), M(RN)),
    RULE(OP(wmma_rc), SATFINITE, false, T(S32), M(SATFINITE)),
    RULE(OP(wmma_half_rr), SHAPE, true, ANY_TYPE, M(M16N16K16), M(M32N8K16), M(M8N32K16)),
    RULE(OP(wmma_rr), SHAPE, true, T(S32), M(M16N16K16), M(M32N8K16), M(M8N32K16)),
    RULE(OP(wmma_rr), SHAPE, true, T(F32), M(M16N16K16), M(M32N8K16), M(M8N32K16), M(M16N16K8)),
    RULE(OP(wmma_rr), SHAPE, true, T(F64), M(M8N8K4)),
    RULE(OP(wmma_rr), ROUND, false, T(F64), M(RN)),
    RULE(OP(wmma_rr), SATFINITE, false, T(S32), M(SATFINITE)),
    RULE(OP(wmma_half_cr), SHAPE, true, ANY_TYPE, M(M16N16K16), M(M32N8K16), M(M8N32K16)),
    RULE(OP(wmma_cr), SHAPE, true, T(S32), M(M16N16K16), M(M32N8K16), M(M8N32K16)),
    RULE(OP(wmma_cr), SHAPE, true, T(F32), M(M16N16K16), M(M32N8K16), M(M8N32K16), M(M16N16K8)),
    RULE(OP(wmma_cr), SHAPE, true, T(F64), M(M8N8K4)),
    RULE(OP(wmma_cr), ROUND, false, T(F64), M(RN)),
    RULE(OP(wmma_cr), SATFINITE, false, T(S32), M(SATFINITE)),
    RULE(OP(wmma_half_cc), SHAPE, true, ANY_TYPE, M(M16N16K16), M(M32N8K16), M(M8N32K16)),
    RULE(OP(wmma_cc), SHAPE, true, T(S32), M(M16N16K16), M(M32N8K16), M(M8N32K16)),
    RULE(OP(wmma_cc), SHAPE, true, T(F32), M(M16N16K16), M(M32N8K16), M(M8N32K16), M(M16N16K8)),
    RULE(OP(wmma_cc), SHAPE, true, T(F64), M(M8N8K4)),
    RULE(OP(wmma_cc), ROUND, false, T(F64), M(RN)),
    RULE(OP(wmma_cc), SATFINITE, false, T(S32), M(SATFINITE)),
    RULE(OP(fence_proxy), PROXY, true, ANY_TYPE, M(PROXY_ALIAS), M(PROXY_ASYNC)),
    RULE(OP(cluster_arrive), SEM, false, ANY_TYPE, M(RELEASE), M(RELAXED)),
    RULE(OP(cluster_wait), SEM, false, ANY_TYPE, M(ACQUIRE)),
    RULE(OP(fence), SEM, true, ANY_TYPE, M(SC), M(ACQ_REL), M(ACQUIRE), M(RELEASE)),
    RULE(OP(cp_async), CACHE, true, ANY_TYPE, M(CA), M(CG)),
    RULE(OP(cp_async), FROM, true, ANY_TYPE, M(FROM_GLOBAL)),
    RULE(OP(cp_async), HINT, false, ANY_TYPE, M(L2_64B), M(L2_128B), M(L2_256B)),
    RULE(OP(bulk_sum), OPERATION, true, T(B32) | T(B64), M(AND), M(OR), M(XOR)),
    RULE(OP(bulk_sum), OPERATION, true, T(U32), M(ADD), M(MIN), M(MAX), M(INC), M(DEC)),
    RULE(OP(bulk_sum), OPERATION, true, T(S32) | T(U64), M(ADD), M(MIN), M(MAX)),
    RULE(OP(bulk_sum), OPERATION, true, T(S64), M(MIN), M(MAX)),
    RULE(OP(bulk_sum), OPERATION, true, FLOATS, M(ADD)),
    RULE(OP(bulk_sum), OPERATION, true, HALF | BRAIN, M(ADD), M(MIN), M(MAX)),
    RULE(OP(bulk_sum), NOFTZ, false, HALF | BRAIN, M(NOFTZ)),
    RULE(OP(bulk_sum_pass), OPERATION, true, T(B32), M(AND), M(OR), M(XOR)),
    RULE(OP(bulk_sum_pass), OPERATION, true, T(U32), M(ADD), M(MIN), M(MAX), M(INC), M(DEC)),
    RULE(OP(bulk_sum_pass), OPERATION, true, T(S32), M(ADD), M(MIN), M(MAX)),
    RULE(OP(bulk_sum_pass), OPERATION, true, T(U64), M(ADD)),
    RULE(OP(red_async), OPERATION, true, T(B32), M(AND), M(OR), M(XOR)),
    RULE(OP(red_async), OPERATION, true, T(U32), M(ADD), M(MIN), M(MAX), M(INC), M(DEC)),
    RULE(OP(red_async), OPERATION, true, T(S32), M(ADD), M(MIN), M(MAX)),
    RULE(OP(red_async), OPERATION, true, T(U64), M(ADD)),
    RULE(OP(red_async), SEM, false, ANY_TYPE, M(RELAXED)),
    RULE(OP(red_async), SCOPE, false, ANY_TYPE, M(CLUSTER)),
    RULE(OP(st_async), SEM, false, ANY_TYPE, M(WEAK)),
    RULE(OP(st_async), VEC, false, T(B32) | T(U32) | T(S32) | T(F32), M(V2), M(V4)),
    RULE(OP(st_async), VEC, false, ANY_TYPE, M(V2)),
    RULE(OP(tensor_load), GEOMETRY, true, ANY_TYPE, TENSORS),
    RULE(OP(tensor_load_many), GEOMETRY, true, ANY_TYPE, TENSORS),
    RULE(OP(tensor_store), GEOMETRY, true, ANY_TYPE, TENSORS),
    RULE(OP(tensor_sum), GEOMETRY, true, ANY_TYPE, TENSORS),
    RULE(OP(tensor_prefetch), GEOMETRY, true, ANY_TYPE, TENSORS),
    RULE(OP(tensor_sum), OPERATION, true, ANY_TYPE, M(ADD), M(MIN), M(MAX), M(INC), M(DEC), M(AND), M(OR), M(XOR)),
    RULE(OP(map_replace), MODE, true, T(B64), M(GLOBAL_ADDRESS), M(GLOBAL_STRIDE)),
    RULE(OP(map_replace), MODE, true, T(B32), M(RANK), M(BOX_DIM), M(GLOBAL_DIM), M(ELEMENT_STRIDE), M(ELEMTYPE),
         M(INTERLEAVE_LAYOUT), M(SWIZZLE_MODE), M(FILL_MODE)),
    RULE(OP(map_copy), SCOPE, true, ANY_TYPE, M(CTA), M(CLUSTER), M(GPU), M(SYS)),
    RULE(OP(fence_map_release), SCOPE, true, ANY_TYPE, M(CTA), M(CLUSTER), M(GPU), M(SYS)),
    RULE(OP(fence_map_acquire), SCOPE, true, ANY_TYPE, M(CTA), M(CLUSTER), M(GPU), M(SYS)),
    RULE(OP(mbarrier_arrive), SEM, false, ANY_TYPE, M(RELEASE), M(RELAXED)),
    RULE(OP(mbarrier_arrive_expect), SEM, false, ANY_TYPE, M(RELEASE), M(RELAXED)),
    RULE(OP(mbarrier_arrive_part), SEM, false, ANY_TYPE, M(RELEASE)),
    RULE(OP(mbarrier_drop), SEM, false, ANY_TYPE, M(RELEASE), M(RELAXED)),
    RULE(OP(mbarrier_drop_expect), SEM, false, ANY_TYPE, M(RELEASE), M(RELAXED)),
    RULE(OP(mbarrier_drop_part), SEM, false, ANY_TYPE, M(RELEASE)),
    RULE(OP(mbarrier_expect), SEM, false, ANY_TYPE, M(RELAXED)),
    RULE(OP(mbarrier_complete), SEM, false, ANY_TYPE, M(RELAXED)),
    RULE(OP(mbarrier_test), SEM, false, ANY_TYPE, M(ACQUIRE), M(RELAXED)),
    RULE(OP(mbarrier_test_parity), SEM, false, ANY_TYPE, M(ACQUIRE), M(RELAXED)),
    RULE(OP(mbarrier_try), SEM, false, ANY_TYPE, M(ACQUIRE), M(RELAXED)),
    RULE(OP(mbarrier_try_parity), SEM, false, ANY_TYPE, M(ACQUIRE), M(RELAXED)),
    RULE(OP(mbarrier_arrive), SCOPE, false, ANY_TYPE, M(CTA), M(CLUSTER)),
    RULE(OP(mbarrier_arrive_expect), SCOPE, false, ANY_TYPE, M(CTA), M(CLUSTER)),
    RULE(OP(mbarrier_arrive_part), SCOPE, false, ANY_TYPE, M(CTA)),
    RULE(OP(mbarrier_drop), SCOPE, false, ANY_TYPE, M(CTA), M(CLUSTER)),
    RULE(OP(mbarrier_drop_expect), SCOPE, false, ANY_TYPE, M(CTA), M(CLUSTER)),
    RULE(OP(mbarrier_drop_part), SCOPE, false, ANY_TYPE, M(CTA)),
    RULE(OP(mbarrier_expect), SCOPE, false, ANY_TYPE, M(CTA), M(CLUSTER)),
    RULE(OP(mbarrier_complete), SCOPE, false, ANY_TYPE, M(CTA), M(CLUSTER)),
    RULE(OP(mbarrier_test), SCOPE, false, ANY_TYPE, M(CTA), M(CLUSTER)),
    RULE(OP(mbarrier_test_parity), SCOPE, false, ANY_TYPE, M(CTA), M(CLUSTER)),
    RULE(OP(mbarrier_try), SCOPE, false, ANY_TYPE, M(CTA), M(CLUSTER)),
    RULE(OP(mbarrier_try_parity), SCOPE, false, ANY_TYPE, M(CTA), M(CLUSTER)),
    RULE(OP(fence), SCOPE, true, ANY_TYPE, M(CTA), M(CLUSTER), M(GPU), M(SYS)),
    RULE(OP(membar), SCOPE, true, ANY_TYPE, M(CTA), M(GL), M(SYS)),
    RULE(ANY_OP, SCOPE, false, ANY_TYPE, M(CTA), M(CLUSTER), M(GPU), M(SYS)),
    RULE(OP(ld), CACHE, false, ANY_TYPE, M(CA), M(CG), M(CS), M(LU), M(CV)),
    RULE(OP(st), CACHE, false, ANY_TYPE, M(WB), M(CG), M(CS), M(WT)),
    RULE(OP(prefetch), HINT, true, ANY_TYPE, M(LEVEL_1), M(LEVEL_2), M(L2_EVICT_LAST), M(L2_EVICT_NORMAL)),
    RULE(OP(prefetchu), HINT, true, ANY_TYPE, M(LEVEL_1)),
    RULE(OP(discard), HINT, true, ANY_TYPE, M(LEVEL_2)),
    RULE(OP(createpolicy), HINT, true, ANY_TYPE, M(L2_EVICT_LAST), M(L2_EVICT_NORMAL), M(L2_EVICT_FIRST),
         M(L2_EVICT_UNCHANGED)),
    RULE(OP(createpolicy_range), HINT, true, ANY_TYPE, M(L2_EVICT_LAST), M(L2_EVICT_NORMAL), M(L2_EVICT_FIRST),
         M(L2_EVICT_UNCHANGED)),
    RULE(OP(applypriority), HINT, true, ANY_TYPE, M(L2_EVICT_NORMAL)),
    RULE(ANY_OP, HINT, false, ANY_TYPE, M(L1_EVICT_LAST), M(L1_EVICT_FIRST), M(L1_EVICT_NORMAL), M(L1_EVICT_UNCHANGED),
         M(L1_NO_ALLOCATE), M(L2_64B), M(L2_128B), M(L2_256B)),
    SCALAR_VIDEO(vadd),
    SCALAR_VIDEO(vsub),
    SCALAR_VIDEO(vabsdiff),
    SCALAR_VIDEO(vmin),
    SCALAR_VIDEO(vmax),
    SCALAR_VIDEO(vshl),
    SCALAR_VIDEO(vshr),
    PACKED_VIDEO(vadd2),
    PACKED_VIDEO(vsub2),
    PACKED_VIDEO(vavrg2),
    PACKED_VIDEO(vabsdiff2),
    PACKED_VIDEO(vmin2),
    PACKED_VIDEO(vmax2),
    PACKED_VIDEO(vadd4),
    PACKED_VIDEO(vsub4),
    PACKED_VIDEO(vavrg4),
    PACKED_VIDEO(vabsdiff4),
    PACKED_VIDEO(vmin4),
    PACKED_VIDEO(vmax4),
    RULE(OP(vmad), SAT, false, ANY_TYPE, M(SAT)),
    RULE(OP(vmad), MODE, false, ANY_TYPE, M(SHR7), M(SHR15)),
    RULE(OP(vmad_po), SAT, false, ANY_TYPE, M(SAT)),
    RULE(OP(vmad_po), MODE, false, ANY_TYPE, M(SHR7), M(SHR15)),
    RULE(OP(vshl), MODE, true, ANY_TYPE, M(OUTSIDE_CLAMPS), M(WRAP)),
    RULE(OP(vshr), MODE, true, ANY_TYPE, M(OUTSIDE_CLAMPS), M(WRAP)),
    RULE(OP(vset), OPERATION, false, ANY_TYPE, M(ADD), M(MIN), M(MAX)),
    RULE(OP(vset2), OPERATION, false, ANY_TYPE, M(ADD)),
    RULE(OP(vset4), OPERATION, false, ANY_TYPE, M(ADD)),
    RULE(OP(vset), CMP, true, ANY_TYPE, ORDERED),
    RULE(OP(vset2), CMP, true, ANY_TYPE, ORDERED),
    RULE(OP(vset4), CMP, true, ANY_TYPE, ORDERED),
    RULE(OP(tex), VEC, true, ANY_TYPE, M(V4)),
    RULE(OP(tex_base), VEC, true, ANY_TYPE, M(V4)),
    RULE(OP(tex_level), VEC, true, ANY_TYPE, M(V4)),
    RULE(OP(tex_grad), VEC, true, ANY_TYPE, M(V4)),
    RULE(OP(tld4), VEC, true, ANY_TYPE, M(V4)),
    RULE(OP(suld), VEC, false, ANY_TYPE, M(V2), M(V4)),
    RULE(OP(sust), VEC, false, ANY_TYPE, M(V2), M(V4)),
    RULE(OP(tld4), GEOMETRY, true, ANY_TYPE, M(IN_2D), M(IN_A2D)),
    RULE(OP(suld), GEOMETRY, true, ANY_TYPE, M(IN_1D), M(IN_2D), M(IN_3D), M(IN_A1D), M(IN_A2D)),
    RULE(OP(sust), GEOMETRY, true, ANY_TYPE, M(IN_1D), M(IN_2D), M(IN_3D), M(IN_A1D), M(IN_A2D)),
    RULE(ANY_OP, GEOMETRY, true, ANY_TYPE, M(IN_1D), M(IN_2D), M(IN_3D), M(IN_A1D), M(IN_A2D), M(IN_CUBE), M(IN_ACUBE)),
    RULE(OP(tld4), MODE, true, ANY_TYPE, M(RED), M(GREEN), M(BLUE), M(ALPHA)),
    RULE(OP(txq), MODE, true, ANY_TYPE, M(WIDTH), M(HEIGHT), M(DEPTH), M(ARRAY_SIZE), M(NORMALIZED), M(LEVELS),
         M(SAMPLES)),
    RULE(OP(suq), MODE, true, ANY_TYPE, M(WIDTH), M(HEIGHT), M(DEPTH), M(ARRAY_SIZE)),
    RULE(OP(suld), MODE, true, ANY_TYPE, M(OUTSIDE_TRAPS), M(OUTSIDE_CLAMPS), M(OUTSIDE_ZERO)),
    RULE(OP(sust), MODE, true, ANY_TYPE, M(OUTSIDE_TRAPS), M(OUTSIDE_CLAMPS), M(OUTSIDE_ZERO)),
    RULE(OP(suld), CACHE, false, ANY_TYPE, M(CA), M(CG), M(CS), M(CV)),
    RULE(OP(sust), CACHE, false, ANY_TYPE, M(WB), M(CG), M(CS), M(WT)),
    RULE(OP(ldu), VEC, false, ANY_TYPE, M(V2), M(V4)),
};
enum { RULES = sizeof rules / sizeof *rules };

static enum ptx_type ruled_type(enum ptx_op op, enum ptx_type type, enum ptx_type type2) {
    return op == PTX_OP_set ? type2 : type;
}
static bool has_rule(unsigned op, unsigned group) {
    for (unsigned k = 0; k < RULES; k++)
        if (rules[k].op == op && rules[k].class == group) return true;
    return false;
}
/* Applies the rules for a class. Sets *allowed if they allow modifier `m`, and *needed if they require a modifier.
 * Returns whether any rule applies. */
static bool consult(enum ptx_op op, enum ptx_type type, unsigned group, enum ptx_mod m, bool *allowed, bool *needed) {
    const unsigned for_op = has_rule(op, group) ? op : ANY_OP;
    bool ruled = false;
    *allowed = *needed = false;
    for (unsigned k = 0; k < RULES; k++) {
        if (rules[k].op != for_op || rules[k].class != group) continue;
        ruled = true;
        if (rules[k].types != ANY_TYPE && !(rules[k].types >> type & 1)) continue;
        *needed |= rules[k].needed;
        for (unsigned w = 0; w < MAX_RULE_WORDS && rules[k].words[w]; w++) *allowed |= rules[k].words[w] == m;
    }
    return ruled;
}
/* Returns an allowed modifier of the class, as a suggestion for a message. */
static const char *example(enum ptx_op op, enum ptx_type type, unsigned group) {
    for (unsigned k = 0; k < MODIFIERS; k++) {
        bool allowed, needed;
        if (modifiers[k].class == group &&
            consult(op, type, group, (enum ptx_mod)modifiers[k].mod, &allowed, &needed) && allowed)
            return modifiers[k].text;
    }
    return "?";
}
bool ptx_mod_allowed(enum ptx_op op, enum ptx_type type, enum ptx_type type2, unsigned group, enum ptx_mod m) {
    bool allowed, needed;
    if (!(ptx_ops[op].allow >> group & 1)) return false;
    return !consult(op, ruled_type(op, type, type2), group, m, &allowed, &needed) || allowed;
}

/* ---- combinations of several modifiers ------------------------------------------------------------------------- */
static bool is_float(enum ptx_type t) { return t == PTX_F16 || t == PTX_BF16 || t == PTX_F32 || t == PTX_F64; }

/* Checks the modifiers of cvt (PTX ISA). Integer rounding such as .rni rounds a float to an integral value.
 * Floating-point rounding such as .rn applies to conversions to a float. */
static const char *check_conversion(const struct ptx_insn *i) {
    const enum ptx_mod round = ptx_mod_of(i, PTX_CLASS_ROUND);
    const bool to_integral = ptx_rounds_to_integer(round), to_float = round && !to_integral;
    const bool from_is = is_float(i->type2), to_is = is_float(i->type);
    const unsigned from = ptx_type_bits(i->type2), to = ptx_type_bits(i->type);
    if (ptx_mod_of(i, PTX_CLASS_RELU) &&
        ((round != PTX_MOD_RN && round != PTX_MOD_RZ) || ptx_mod_of(i, PTX_CLASS_SAT) || i->type2 != PTX_F32 ||
         (i->type != PTX_F16 && i->type != PTX_BF16)))
        return "`.relu` requires .rn or .rz and a conversion from .f32 to .f16 or .bf16";
    if (ptx_mod_of(i, PTX_CLASS_FTZ) && i->type != PTX_F32 && i->type2 != PTX_F32)
        return "`.ftz` requires a source or destination of .f32";
    if (!to_is && from_is && !to_integral)
        return "a conversion from float to integer requires .rni, .rzi, .rmi or .rpi";
    if (!to_is && !from_is && round) return "a conversion between integers takes no rounding mode";
    if (to_is && !from_is && !to_float) return "a conversion from integer to float requires .rn, .rz, .rm or .rp";
    if (to_is && from_is && to > from && round)
        return "a conversion to a wider float is exact, so it takes no rounding mode";
    if (to_is && from_is && (to < from || (to == from && i->type != i->type2)) && !to_float)
        return "a conversion to a narrower float, or between .f16 and .bf16, requires .rn, .rz, .rm or .rp";
    if (to_is && i->type == i->type2 && to_float)
        return "a conversion to the same float type takes no rounding mode except .rni, .rzi, .rmi or .rpi";
    return NULL;
}
static bool is_pair(enum ptx_type t) { return t == PTX_F16X2 || t == PTX_BF16X2; }
/* Checks combinations of modifiers of tex, suld and sust (PTX ISA). */
static const char *check_texture(const struct ptx_insn *i) {
    const enum ptx_mod in = ptx_mod_of(i, PTX_CLASS_GEOMETRY);
    const unsigned bytes = i->vec * ptx_type_bits(i->type) / 8;
    if ((in == PTX_MOD_IN_CUBE || in == PTX_MOD_IN_ACUBE) && i->type2 == PTX_S32)
        return "a cube's coordinates are .f32";
    if (!i->type2 && bytes > 16) return "the vector exceeds 16 bytes";
    return NULL;
}
/* Checks the types of set (PTX ISA). A comparison of packed halves yields packed halves, each of which is 1.0 or all
 * ones if its comparison is true. If the result is a narrow float, the operands must have the same type. */
static const char *check_set(const struct ptx_insn *i) {
    const bool narrow = is_pair(i->type) || i->type == PTX_F16 || i->type == PTX_BF16;
    if (narrow && i->type != i->type2) return "a 16-bit float result requires operands of the same type";
    if (is_pair(i->type2) && i->type == PTX_F32)
        return "a comparison of packed halves requires a packed result, not .f32";
    return NULL;
}
static const char *check_memory(const struct ptx_insn *i) {
    const enum ptx_mod sem = ptx_mod_of(i, PTX_CLASS_SEM);
    const bool atomic = ptx_traits_of(i)->memory == PTX_MEMORY_ATOMIC,
               scoped = ptx_mod_of(i, PTX_CLASS_SCOPE) != PTX_MOD_NONE;
    const bool ordered = sem == PTX_MOD_RELAXED || sem == PTX_MOD_ACQUIRE || sem == PTX_MOD_RELEASE;
    const unsigned bytes = i->vec * ptx_type_bits(i->type) / 8;
    if (!atomic && ordered && !scoped) return "the scope is missing: .cta, .cluster, .gpu or .sys";
    if (!atomic && !ordered && scoped) return "a scope requires .relaxed, .acquire or .release";
    if (ptx_mod_of(i, PTX_CLASS_NC) && i->space != PTX_GLOBAL) return "`.nc` requires .global";
    if (atomic && i->vec > 1 && i->op != PTX_OP_atom_pair && i->space == PTX_SHARED)
        return "vector atomics do not work on shared memory";
    if (i->vec == 8 && !atomic && (ptx_type_bits(i->type) != 32 || i->space != PTX_GLOBAL))
        return "`.v8` requires 32-bit elements and .global";
    if (bytes > 32 || (bytes > 16 && i->space != PTX_GLOBAL))
        return "the vector exceeds 16 bytes, or 32 bytes with .global";
    if (atomic && i->space != PTX_GENERIC && i->space != PTX_GLOBAL && i->space != PTX_SHARED)
        return "atomics work on global and shared memory";
    if (i->op == PTX_OP_ldu && i->space != PTX_GENERIC && i->space != PTX_GLOBAL) return "`ldu` reads global memory";
    if (ptx_traits_of(i)->memory == PTX_MEMORY_STORE && i->space == PTX_CONST)
        return "constant memory cannot be written";
    return NULL;
}
/* Reports modifiers that the instruction does not accept, and required modifiers that are missing. */
static void check_each(struct parser *p, const struct ptx_insn *i) {
    const enum ptx_type type = ruled_type(i->op, i->type, i->type2);
    for (unsigned group = 0; group < PTX_CLASS_COUNT; group++) {
        bool allowed, needed;
        const enum ptx_mod m = ptx_mod_of(i, (enum ptx_mod_class)group);
        if (!(ptx_ops[i->op].allow >> group & 1) || !consult(i->op, type, group, m, &allowed, &needed)) continue;
        if (m && !allowed && type)
            ptx_refuse(p, i->text_line, "`%.*s`: `.%s` is not allowed with .%s here", SHOW(p->mnemonic),
                       ptx_mod_text(m), ptx_type_name(type));
        if (m && !allowed)
            ptx_refuse(p, i->text_line, "`%.*s`: `.%s` is not supported by the simulator", SHOW(p->mnemonic),
                       ptx_mod_text(m));
        if (!m && needed)
            ptx_refuse(p, i->text_line, "`%.*s` is incomplete: a modifier such as `.%s` is missing", SHOW(p->mnemonic),
                       example(i->op, type, group));
    }
}
static bool has(const struct ptx_insn *i, enum ptx_mod_class c) { return ptx_mod_of(i, c) != PTX_MOD_NONE; }
static const char *check_combination(const struct ptx_insn *i) {
    switch (i->op) {
    case PTX_OP_cvt: return check_conversion(i);
    case PTX_OP_cvt_tf32:
        if (ptx_mod_of(i, PTX_CLASS_ROUND) == PTX_MOD_RNA ? has(i, PTX_CLASS_RELU) : has(i, PTX_CLASS_SATFINITE))
            return "`.relu` requires .rn or .rz, and `.satfinite` requires .rna";
        return NULL;
    case PTX_OP_fence_proxy:
        if (has(i, PTX_CLASS_PROXYSPACE) && ptx_mod_of(i, PTX_CLASS_PROXY) != PTX_MOD_PROXY_ASYNC)
            return "a state space requires .async";
        return NULL;
    case PTX_OP_fma_half:
        return has(i, PTX_CLASS_SAT) && has(i, PTX_CLASS_RELU) ? "`.sat` and `.relu` exclude each other" : NULL;
    case PTX_OP_setp:
    case PTX_OP_set:
        if (has(i, PTX_CLASS_OPERATION) != (i->count == 4))
            return "a fourth operand requires .and, .or or .xor, and vice versa";
        return i->op == PTX_OP_set ? check_set(i) : NULL;
    case PTX_OP_rcp:
    case PTX_OP_rsqrt:
        return i->type == PTX_F64 && has(i, PTX_CLASS_FTZ) && !has(i, PTX_CLASS_APPROX)
                   ? "`.ftz` for .f64 requires .approx"
                   : NULL;
    case PTX_OP_div_flt:
        return has(i, PTX_CLASS_APPROX) && has(i, PTX_CLASS_ROUND) ? "`.approx` excludes a rounding mode" : NULL;
    case PTX_OP_slct:
        return has(i, PTX_CLASS_FTZ) && i->type2 != PTX_F32 ? "`.ftz` requires a third operand of .f32" : NULL;
    default: return NULL;
    }
}
static const char *check_space(const struct ptx_insn *i) {
    const struct ptx_traits *traits = ptx_traits_of(i);
    /* mapa and getctarank accept generic addresses. */
    const bool maps = i->op == PTX_OP_mapa || i->op == PTX_OP_getctarank;
    if (maps) return i->space != PTX_GENERIC && !i->cluster ? "the state space must be .shared::cluster" : NULL;
    return traits->names_space && i->space == PTX_GENERIC ? "the state space is missing" : NULL;
}
void ptx_check_modifiers(struct parser *p, const struct ptx_insn *i) {
    const struct ptx_traits *traits = ptx_traits_of(i);
    if (!p->same->allowed) check_each(p, i);
    p->same->allowed = true;
    const char *wrong = check_space(i);
    if (!wrong) wrong = check_combination(i);
    if (ptx_accesses_memory(traits)) wrong = check_memory(i); /* such an instruction may omit its state space */
    if (traits->memory == PTX_MEMORY_TEXTURE) wrong = check_texture(i);
    if (wrong) ptx_refuse(p, i->text_line, "`%.*s`: %s", SHOW(p->mnemonic), wrong);
}
