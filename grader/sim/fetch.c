/* Handlers for texture and surface instructions: tex, tld4, suld, sust, txq and suq. Lanes with the same object are
 * handled together. If a filter reads several texels, each texel is one access by all these lanes. */
#include "sim/report.h"
#include "sim/view.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHANNELS = 4, MAX_COORDINATES = 4, TEXEL = 16 /* maximum size of a texel in bytes */ };

/* An instruction, executed by the lanes that use one object. */
struct fetch {
    struct sim_warp *w;
    const struct sim_insn *i;
    const struct ptx_insn *p;
    const struct sim_function *f;
    const struct sim_view *view;
    struct sim_memory *memory; /* object that contains the texels */
    uint32_t lanes;
};

/* ---- operands ------------------------------------------------------------------------------------------------- */

static uint32_t number_of(const struct fetch *f, const struct ptx_operand *o, uint32_t l) {
    if (o->kind == PTX_IMMEDIATE) return (uint32_t)o->imm;
    return ((const uint32_t *)sim_row(f->w, f->f->register_offset[o->reg]))[l];
}
/* Returns the bits of coordinate n of lane l. */
static uint32_t coordinate(const struct fetch *f, unsigned n, uint32_t l) {
    const struct ptx_operand *o = &f->p->operand[ptx_written(f->p) + 1];
    return number_of(f, o->kind == PTX_VECTOR ? &o->elements[n] : o, l);
}
static const struct ptx_operand *element(const struct ptx_operand *o, unsigned k) {
    return o->kind == PTX_VECTOR ? &o->elements[k] : o;
}
/* Writes a value of `bytes` bytes to a register, with zero extension. */
static void put(const struct fetch *f, const struct ptx_operand *o, uint32_t l, const void *value, unsigned bytes) {
    if (o->kind != PTX_REGISTER) return;
    const unsigned bits = ptx_type_bits(f->f->source->registers[o->reg].type), width = bits < 16 ? 2 : bits / 8;
    uint8_t *to = (uint8_t *)sim_row(f->w, f->f->register_offset[o->reg]) + l * width;
    memset(to, 0, width);
    memcpy(to, value, bytes);
}
static void get(const struct fetch *f, const struct ptx_operand *o, uint32_t l, void *value, unsigned bytes) {
    if (o->kind == PTX_IMMEDIATE) {
        memcpy(value, &o->imm, bytes);
        return;
    }
    const unsigned bits = ptx_type_bits(f->f->source->registers[o->reg].type), width = bits < 16 ? 2 : bits / 8;
    memcpy(value, (const uint8_t *)sim_row(f->w, f->f->register_offset[o->reg]) + l * width, bytes);
}
static double as_float(uint32_t bits) {
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}
static void put_texel(const struct fetch *f, uint32_t l, const uint32_t channel[CHANNELS]) {
    const struct ptx_operand *to = &f->p->operand[0];
    for (unsigned c = 0; c < CHANNELS; c++) put(f, element(to, c), l, &channel[c], sizeof *channel);
}
static void put_nothing(const struct fetch *f) {
    static const uint64_t nothing = 0;
    const struct ptx_operand *to = &f->p->operand[0];
    if (!ptx_written(f->p)) return;
    SIM_EACH_LANE (l, f->lanes)
        for (unsigned k = 0; k < (to->kind == PTX_VECTOR ? to->count : 1); k++)
            put(f, element(to, k), l, &nothing, ptx_type_bits(f->p->type) / 8);
}

/* ---- faults --------------------------------------------------------------------------------------------------- */

static void report_misuse(const struct fetch *f, uint32_t lanes, enum sim_fault_kind kind, const char *text) {
    struct sim_fault e = {.kind = kind,
                          .pc = sim_pc(f->w, f->i),
                          .lanes = lanes,
                          .other_pc = SIM_NO_PC,
                          .lane = (unsigned)__builtin_ctz(lanes),
                          .access = f->p->op == PTX_OP_sust ? SIM_STORE : SIM_LOAD,
                          .object = f->memory ? &f->memory->object : NULL,
                          .text = text};
    sim_fault(f->w, &e);
}
static bool is_surface(const struct ptx_insn *p) {
    return p->op == PTX_OP_suld || p->op == PTX_OP_sust || p->op == PTX_OP_suq;
}
static bool is_query(const struct ptx_insn *p) { return p->op == PTX_OP_txq || p->op == PTX_OP_suq; }
/* Returns whether the instruction can access an object of this shape. */
static bool fits(const struct ptx_insn *p, enum sim_shape shape) {
    switch (ptx_mod_of(p, PTX_CLASS_GEOMETRY)) {
    case PTX_MOD_IN_1D: return shape == SIM_1D || (shape == SIM_LINEAR && p->type2 == PTX_S32);
    case PTX_MOD_IN_2D: return shape == SIM_2D;
    case PTX_MOD_IN_3D: return shape == SIM_3D;
    case PTX_MOD_IN_A1D: return shape == SIM_1D_LAYERED;
    case PTX_MOD_IN_A2D:
        return shape == SIM_2D_LAYERED || (is_surface(p) && (shape == SIM_CUBE || shape == SIM_CUBE_LAYERED));
    case PTX_MOD_IN_CUBE: return shape == SIM_CUBE;
    case PTX_MOD_IN_ACUBE: return shape == SIM_CUBE_LAYERED;
    default: return true;
    }
}
static const char *wrong_shape(const struct ptx_insn *p, enum sim_shape shape) {
    static const char *const shapes[] = {"linear memory (for tex1Dfetch() with an index)",
                                         "one dimension",
                                         "two dimensions",
                                         "three dimensions",
                                         "one-dimensional layers",
                                         "two-dimensional layers",
                                         "a cube",
                                         "layers of cubes"};
    static _Thread_local char text[160];
    if (fits(p, shape)) return NULL;
    snprintf(text, sizeof text, "passed %s object of %s to a function for a different kind of object",
             is_surface(p) ? "a surface" : "a texture", shapes[shape]);
    return text;
}
/* Returns a message if the instruction reads texels as the wrong kind of number, otherwise NULL. Without linear
 * filtering, 32-bit texels may be read as integers or floats. */
static const char *wrong_numbers(const struct ptx_insn *p, const struct sim_view *v) {
    const bool floats = sim_gives_floats(v), wanted = p->type == PTX_F32;
    if (!p->type2 || floats == wanted || (v->texels.bits == 32 && !v->sampling.linear)) return NULL;
    return floats ? "read integers from a texture that returns floats: fetch float, float2 or float4"
                  : "read floats from a texture that returns integers: create it with cudaReadModeNormalizedFloat, or "
                    "fetch "
                    "its own type";
}
static const char *wrong_use(const struct ptx_insn *p, const struct sim_view *v) {
    const bool surface = is_surface(p);
    if (!v)
        return surface ? "used a value that is not a surface object as a surface"
                       : "used a value that is not a texture object as a texture";
    if (v->surface != surface)
        return surface ? "used a texture object as a surface object" : "used a surface object as a texture object";
    if (v->ended)
        return surface ? "used a surface object that was destroyed" : "used a texture object that was destroyed";
    const char *shape = wrong_shape(p, v->texels.shape), *numbers = wrong_numbers(p, v);
    if (shape || numbers) return shape ? shape : numbers;
    if (p->type2 == PTX_S32 && v->sampling.normalized && v->texels.shape != SIM_LINEAR)
        return "used integer coordinates for a texture with normalized coordinates, which range from 0 to 1";
    return NULL;
}
/* Returns the object's memory. If it has been freed, reports a fault and returns NULL. */
static struct sim_memory *memory_of(const struct fetch *f) {
    const struct sim_texels *t = &f->view->texels;
    bool inside = false;
    struct sim_memory *m = sim_find(f->w->block->run->sim, t->address, &inside);
    if (inside) return m;
    struct sim_fault e = {.kind = SIM_FAULT_BOUNDS,
                          .pc = sim_pc(f->w, f->i),
                          .lanes = f->lanes,
                          .other_pc = SIM_NO_PC,
                          .lane = (unsigned)__builtin_ctz(f->lanes),
                          .bytes = sim_texel_bytes(t),
                          .object = m ? &m->object : NULL,
                          .address = t->address,
                          .offset = m ? (int64_t)(t->address - m->object.address) : 0,
                          .end = m ? m->object.size : 0,
                          .access = f->p->op == PTX_OP_sust ? SIM_STORE : SIM_LOAD,
                          .space = PTX_GLOBAL};
    sim_fault(f->w, &e);
    return NULL;
}

/* ---- loads ---------------------------------------------------------------------------------------------------- */

static void report(const struct fetch *f, uint32_t mask, uint32_t silent, unsigned bytes, const uint64_t *offset,
                   const uint8_t (*before)[SIM_VALUE]) {
    sim_report_access(f->w, &(struct sim_report){.pc = sim_pc(f->w, f->i),
                                                 .mask = mask,
                                                 .silent = silent,
                                                 .kind = before ? SIM_STORE : SIM_LOAD,
                                                 .object = &f->memory->object,
                                                 .bytes = bytes,
                                                 .texture = true,
                                                 .offset = offset,
                                                 .before = before && f->w->block->run->weak ? before : NULL});
}
/* Loads `bytes` bytes for each lane of `mask`. Returns the lanes with bytes inside the object. */
static uint32_t load(const struct fetch *f, uint32_t mask, unsigned bytes, const uint64_t offset[SIM_WARP],
                     uint8_t value[SIM_WARP][TEXEL]) {
    uint32_t done = 0;
    SIM_EACH_LANE (l, mask) {
        if (offset[l] + bytes > f->memory->object.size) continue; /* the texture's dimensions may exceed the memory */
        const uint8_t *from = sim_byte_at(f->w->block->run, f->memory, offset[l]);
        if (!from) continue;
        memcpy(value[l], from, bytes);
        done |= 1u << l;
    }
    report(f, done, 0, bytes, offset, NULL);
    return done;
}

/* ---- textures ------------------------------------------------------------------------------------------------- */

/* Returns the mipmap level for tex.level and tex.grad, with the texture's bias, and 0 for other instructions. */
static double level_of(const struct fetch *f, uint32_t l, unsigned dimensions) {
    const struct ptx_operand *o = &f->p->operand[ptx_written(f->p) + 2];
    double d[2][3] = {{0}}, level;
    if (f->p->op == PTX_OP_tex_level) {
        const uint32_t bits = number_of(f, o, l);
        level = f->p->type2 == PTX_S32 ? (int32_t)bits : as_float(bits);
    } else if (f->p->op == PTX_OP_tex_grad) {
        for (unsigned k = 0; k < 2; k++)
            for (unsigned n = 0; n < dimensions; n++) d[k][n] = as_float(number_of(f, element(&o[k], n), l));
        level = sim_level_of(f->view, d[0], d[1]);
    } else
        return 0;
    return level + (double)f->view->sampling.level_bias;
}
static struct sim_point point_of(const struct fetch *f, uint32_t l) {
    const enum ptx_mod in = ptx_mod_of(f->p, PTX_CLASS_GEOMETRY);
    const bool layered = in == PTX_MOD_IN_A1D || in == PTX_MOD_IN_A2D || in == PTX_MOD_IN_ACUBE;
    const unsigned dimensions = in == PTX_MOD_IN_1D || in == PTX_MOD_IN_A1D   ? 1
                                : in == PTX_MOD_IN_2D || in == PTX_MOD_IN_A2D ? 2
                                                                              : 3;
    struct sim_point p = {.whole = f->p->type2 == PTX_S32};
    if (layered) p.layer = coordinate(f, 0, l);
    for (unsigned d = 0; d < dimensions; d++) {
        const uint32_t bits = coordinate(f, d + layered, l);
        p.at[d] = p.whole ? (int32_t)bits : as_float(bits);
    }
    p.level = level_of(f, l, dimensions);
    return p;
}
/* Returns whether the result is a weighted sum of texels. */
static bool filters(const struct fetch *f) {
    const struct sim_view *v = f->view;
    const bool weights = v->sampling.linear || (v->sampling.between_levels && v->texels.levels > 1);
    return weights && v->texels.shape != SIM_LINEAR && f->p->type2 != PTX_S32 && f->p->op != PTX_OP_tld4;
}
/* Reads one tap for each lane in `mask`, and decodes its channels. A tap is one of the texels that a filter
 * combines. */
static void read_tap(const struct fetch *f, uint32_t mask, const struct sim_tap tap[SIM_WARP],
                     uint32_t channel[SIM_WARP][CHANNELS]) {
    const struct sim_texels *t = &f->view->texels;
    uint64_t offset[SIM_WARP] = {0};
    uint8_t value[SIM_WARP][TEXEL];
    uint32_t inside = 0;
    SIM_EACH_LANE (l, mask)
        if (!tap[l].outside) {
            inside |= 1u << l;
            const struct sim_texels level = sim_level(t, tap[l].level);
            offset[l] = sim_texel_at(&level, tap[l].x, tap[l].y, tap[l].z) - f->memory->object.address;
        }
    const uint32_t done = inside ? load(f, inside, sim_texel_bytes(t), offset, value) : 0;
    SIM_EACH_LANE (l, mask) {
        if (done >> l & 1)
            sim_decode_texel(f->view, value[l], filters(f), channel[l]);
        else if (tap[l].outside)
            sim_border_texel(f->view, channel[l]);
        else
            memset(channel[l], 0, sizeof channel[l]);
    }
}
static void sample(const struct fetch *f) {
    struct sim_tap tap[SIM_MAX_TAPS][SIM_WARP];
    uint32_t channel[SIM_MAX_TAPS][SIM_WARP][CHANNELS], has[SIM_MAX_TAPS] = {0};
    unsigned count[SIM_WARP];
    SIM_EACH_LANE (l, f->lanes) {
        struct sim_tap own[SIM_MAX_TAPS];
        const struct sim_point p = point_of(f, l);
        count[l] = sim_find_taps(f->view, &p, own);
        for (unsigned k = 0; k < count[l]; k++) tap[k][l] = own[k], has[k] |= 1u << l;
    }
    for (unsigned k = 0; k < SIM_MAX_TAPS && has[k]; k++) read_tap(f, has[k], tap[k], channel[k]);
    SIM_EACH_LANE (l, f->lanes) {
        struct sim_tap own[SIM_MAX_TAPS];
        uint32_t value[SIM_MAX_TAPS], sum[CHANNELS];
        for (unsigned k = 0; k < count[l]; k++) own[k] = tap[k][l];
        for (unsigned c = 0; c < CHANNELS && filters(f); c++) {
            for (unsigned k = 0; k < count[l]; k++) value[k] = channel[k][l][c];
            sum[c] = sim_filter(f->view, c, own, value, count[l]);
        }
        put_texel(f, l, filters(f) ? sum : channel[0][l]);
    }
}
static void gather(const struct fetch *f) {
    const enum ptx_mod which = ptx_mod_of(f->p, PTX_CLASS_MODE);
    const unsigned c = which == PTX_MOD_RED ? 0 : which == PTX_MOD_GREEN ? 1 : which == PTX_MOD_BLUE ? 2 : 3;
    struct sim_tap tap[CHANNELS][SIM_WARP];
    uint32_t channel[SIM_WARP][CHANNELS], out[SIM_WARP][CHANNELS] = {{0}};
    SIM_EACH_LANE (l, f->lanes) {
        struct sim_tap own[CHANNELS];
        const struct sim_point p = point_of(f, l);
        sim_find_gathered(f->view, &p, own);
        for (unsigned k = 0; k < CHANNELS; k++) tap[k][l] = own[k];
    }
    for (unsigned k = 0; k < CHANNELS; k++) {
        read_tap(f, f->lanes, tap[k], channel);
        SIM_EACH_LANE (l, f->lanes) out[l][k] = sim_gathered(f->view, channel[l][c]);
    }
    SIM_EACH_LANE (l, f->lanes) put_texel(f, l, out[l]);
}

/* ---- surfaces ------------------------------------------------------------------------------------------------- */

/* A lane's position in the surface: x in bytes, y in rows, and the slice or layer. */
struct spot {
    int64_t at[3];
};
static struct spot spot_of(const struct fetch *f, uint32_t l) {
    const enum ptx_mod in = ptx_mod_of(f->p, PTX_CLASS_GEOMETRY);
    const bool layered = in == PTX_MOD_IN_A1D || in == PTX_MOD_IN_A2D;
    struct spot s = {{0}};
    s.at[0] = (int32_t)coordinate(f, layered, l);
    if (in != PTX_MOD_IN_1D && in != PTX_MOD_IN_A1D) s.at[1] = (int32_t)coordinate(f, 1 + layered, l);
    if (in == PTX_MOD_IN_3D) s.at[2] = (int32_t)coordinate(f, 2, l);
    if (layered) s.at[2] = (int32_t)coordinate(f, 0, l);
    return s;
}
static void report_outside(const struct fetch *f, uint32_t lanes, const struct spot *s, unsigned bytes) {
    const struct sim_texels *t = &f->view->texels;
    const bool rows = t->shape != SIM_1D && t->shape != SIM_1D_LAYERED, solid = t->shape == SIM_3D,
               layers = !solid && t->shape != SIM_1D && t->shape != SIM_2D;
    char text[256], *at = text, *const end = text + sizeof text;
    at += snprintf(at, (size_t)(end - at), "%u bytes at x = %" PRId64 " bytes", bytes, s->at[0]);
    if (rows) at += snprintf(at, (size_t)(end - at), ", y = %" PRId64, s->at[1]);
    if (solid || layers) at += snprintf(at, (size_t)(end - at), ", %s %" PRId64, solid ? "z =" : "layer", s->at[2]);
    at += snprintf(at, (size_t)(end - at), ", but it is %u bytes wide", t->width * sim_texel_bytes(t));
    if (rows) at += snprintf(at, (size_t)(end - at), " and %u high", t->height);
    if (solid || layers)
        snprintf(at, (size_t)(end - at), ", with %u %s%s", solid ? t->depth : t->layers, solid ? "slice" : "layer",
                 (solid ? t->depth : t->layers) == 1 ? "" : "s");
    report_misuse(f, lanes, SIM_FAULT_SURFACE, text);
}
/* Computes the offset of the lane's bytes. Returns false if they are outside the surface and not clamped to it. Sets
 * *outside to whether this is an error (.trap). */
static bool find_spot(const struct fetch *f, uint32_t l, unsigned bytes, uint64_t *offset, struct spot *s,
                      bool *outside) {
    const struct sim_texels *t = &f->view->texels;
    const int64_t row = (int64_t)t->width * sim_texel_bytes(t),
                  end[] = {row - bytes, t->height - 1, (t->shape == SIM_3D ? t->depth : t->layers) - INT64_C(1)};
    const enum ptx_mod mode = ptx_mod_of(f->p, PTX_CLASS_MODE);
    bool in = true;
    *s = spot_of(f, l);
    for (unsigned d = 0; d < 3; d++) {
        const bool fine = s->at[d] >= 0 && s->at[d] <= end[d];
        if (!fine && mode == PTX_MOD_OUTSIDE_CLAMPS) s->at[d] = s->at[d] < 0 || end[d] < 0 ? 0 : end[d];
        in = in && fine;
    }
    *outside = !in && mode == PTX_MOD_OUTSIDE_TRAPS;
    *offset = t->address - f->memory->object.address + (uint64_t)s->at[2] * t->slice + (uint64_t)s->at[1] * t->pitch +
              (uint64_t)s->at[0];
    return in || mode == PTX_MOD_OUTSIDE_CLAMPS;
}
/* Returns the aligned lanes whose bytes are inside the surface or clamped to it. Reports faults for misaligned lanes
 * and, with .trap, for lanes outside the surface. */
static uint32_t find_spots(const struct fetch *f, unsigned bytes, uint64_t offset[SIM_WARP]) {
    uint32_t good = 0, bad = 0, misaligned = 0;
    struct spot first = {{0}}, s;
    SIM_EACH_LANE (l, f->lanes) {
        bool outside = false;
        const bool in = find_spot(f, l, bytes, &offset[l], &s, &outside);
        if (outside && !bad) first = s;
        bad |= (uint32_t)outside << l;
        if (!in) continue;
        if (s.at[0] % bytes)
            misaligned |= 1u << l;
        else if (offset[l] + bytes <= f->memory->object.size)
            good |= 1u << l;
    }
    if (bad) report_outside(f, bad, &first, bytes);
    if (misaligned)
        report_misuse(
            f, misaligned, SIM_FAULT_TEXTURE,
            "passed a surface function an x coordinate that is not a multiple of the access size: x is in bytes, so "
            "multiply it by the size of the type");
    return good;
}
static void read_surface(const struct fetch *f) {
    const unsigned each = ptx_type_bits(f->p->type) / 8, bytes = each * f->p->vec;
    uint64_t offset[SIM_WARP] = {0};
    uint8_t value[SIM_WARP][TEXEL];
    const uint32_t good = find_spots(f, bytes, offset), done = good ? load(f, good, bytes, offset, value) : 0;
    put_nothing(f);
    SIM_EACH_LANE (l, done)
        for (unsigned k = 0; k < f->p->vec; k++) put(f, element(&f->p->operand[0], k), l, value[l] + k * each, each);
}
static void write_surface(const struct fetch *f) {
    struct sim_run *run = f->w->block->run;
    const unsigned each = ptx_type_bits(f->p->type) / 8, bytes = each * f->p->vec;
    uint64_t offset[SIM_WARP] = {0};
    uint8_t before[SIM_WARP][SIM_VALUE];
    uint32_t good = find_spots(f, bytes, offset), silent = 0;
    if (f->memory->object.read_only && good) {
        report_misuse(f, good, SIM_FAULT_READ_ONLY, NULL);
        return;
    }
    SIM_EACH_LANE (l, good) {
        uint8_t value[TEXEL], *to = sim_at(run->sim, f->memory, offset[l], true);
        if (!to) {
            sim_out_of_memory(run);
            return;
        }
        for (unsigned k = 0; k < f->p->vec; k++) get(f, element(&f->p->operand[2], k), l, value + k * each, each);
        memcpy(before[l], to, bytes);
        silent |= (uint32_t)!memcmp(to, value, bytes) << l;
        memcpy(to, value, bytes);
    }
    run->changes++;
    if (good) report(f, good, silent, bytes, offset, before);
}

/* ---- queries -------------------------------------------------------------------------------------------------- */

static void execute_query(const struct fetch *f) {
    const struct sim_texels *t = &f->view->texels;
    const bool cube = t->shape == SIM_CUBE || t->shape == SIM_CUBE_LAYERED;
    uint32_t value = 1; /* for .samples */
    switch (ptx_mod_of(f->p, PTX_CLASS_MODE)) {
    case PTX_MOD_WIDTH: value = t->width; break;
    case PTX_MOD_HEIGHT: value = t->height; break;
    case PTX_MOD_DEPTH: value = t->depth; break;
    case PTX_MOD_ARRAY_SIZE: value = t->layers / (cube ? 6 : 1); break;
    case PTX_MOD_LEVELS: value = t->levels; break;
    case PTX_MOD_NORMALIZED: value = f->view->sampling.normalized; break;
    default: break;
    }
    SIM_EACH_LANE (l, f->lanes) put(f, &f->p->operand[0], l, &value, sizeof value);
}

/* ---- the handler ---------------------------------------------------------------------------------------------- */

static void fetch_group(struct fetch *f) {
    const char *why = wrong_use(f->p, f->view);
    f->memory = !why && !is_query(f->p) ? memory_of(f) : NULL;
    if (why) report_misuse(f, f->lanes, SIM_FAULT_TEXTURE, why);
    if (!why && is_query(f->p))
        execute_query(f);
    else if (!f->memory)
        put_nothing(f);
    else if (f->p->op == PTX_OP_suld)
        read_surface(f);
    else if (f->p->op == PTX_OP_sust)
        write_surface(f);
    else if (f->p->op == PTX_OP_tld4)
        gather(f);
    else
        sample(f);
}
void sim_exec_texture(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct sim_program *program = w->block->run->program;
    const struct sim *s = w->block->run->sim;
    struct fetch f = {.w = w, .i = i, .p = i->source, .f = &program->functions[program->function_of[sim_pc(w, i)]]};
    uint64_t object[SIM_WARP];
    memcpy(object, sim_row(w, f.f->register_offset[f.p->operand[ptx_written(f.p)].reg]), sizeof object);
    for (uint32_t todo = mask; todo; todo &= ~f.lanes) {
        const uint64_t handle = object[__builtin_ctz(todo)];
        f.lanes = 0;
        SIM_EACH_LANE (l, todo) f.lanes |= (uint32_t)(object[l] == handle) << l;
        f.view = handle && handle <= s->view_count ? &s->views[handle - 1] : NULL;
        fetch_group(&f);
    }
    if (f.p->pred_dest.kind == PTX_REGISTER) /* the texel is always resident */
        sim_set_predicate(w, f.f->register_offset[f.p->pred_dest.reg], mask, mask);
}
