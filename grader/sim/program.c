/* Makes a program from a PTX module. This file lays out frames and variables; decode.c decodes the code of all
 * functions into one array. */
#include "sim/decoding.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_ALIGN = 64 };

/* ---- layout of a frame ---------------------------------------------------------------------- */
uint32_t sim_take_row(struct sim_function *f, uint32_t bytes) {
    uint32_t at = sim_align(f->frame_bytes, ROW_ALIGN);
    f->frame_bytes = at + bytes;
    return at;
}
static uint32_t take_param_rows(struct sim_function *f, const struct ptx_variable *v) {
    return sim_take_row(f, sim_align((uint32_t)v->size, 4) / 4 * SIM_PARAMETER_ROW);
}
static bool lay_out(struct sim_function *f) {
    const struct ptx_function *s = f->source;
    f->param_offset = calloc(s->param_count + 1, sizeof *f->param_offset);
    f->local_offset = calloc(s->local_count + 1, sizeof *f->local_offset);
    f->frame_bytes = 4; /* a scratch predicate */
    if (!f->param_offset || !f->local_offset || !sim_place_registers(f)) return false;
    for (unsigned k = 0; k < s->param_count; k++) {
        const struct ptx_variable *v = s->params[k];
        if (s->entry) {
            f->param_offset[k] = sim_align(f->param_bytes, v->align ? v->align : 1);
            f->param_bytes = f->param_offset[k] + (uint32_t)v->size;
        } else
            f->param_offset[k] = take_param_rows(f, v);
    }
    if (s->result) f->result_offset = take_param_rows(f, s->result);
    for (unsigned k = 0; k < s->local_count; k++) {
        const struct ptx_variable *v = s->locals[k];
        if (v->space == PTX_PARAM)
            f->local_offset[k] = take_param_rows(f, v); /* calls use these rows, so they are never shared */
        if (v->space != PTX_LOCAL) continue;
        f->local_offset[k] = sim_align(f->local_bytes, v->align ? v->align : 1);
        f->local_bytes = f->local_offset[k] + (uint32_t)v->size;
    }
    f->local_bytes = sim_align(f->local_bytes, 16);
    return true;
}

/* Gives the module's global and const variables the addresses at which sim_add_program() will place them. */
static bool lay_out_variables(struct sim_program *p, uint64_t base) {
    const struct ptx_module *m = p->module;
    uint64_t at = base ? base : SIM_GLOBAL_BASE;
    p->variable_address = calloc(m->variable_count + 1, sizeof *p->variable_address);
    for (unsigned k = 0; p->variable_address && k < m->variable_count; k++) {
        const struct ptx_variable *v = m->variables[k];
        if (v->space == PTX_GLOBAL || v->space == PTX_CONST) p->variable_address[k] = at, at = sim_after(at, v->size);
        if (!strcmp(v->name, PTX_GRID_WORKSPACE)) p->grid_workspace = p->variable_address[k];
    }
    return p->variable_address != NULL;
}

/* Returns whether the host has the instruction set of these handlers. Not a table, because __builtin_cpu_supports()
 * accepts only literals. */
static bool host_runs(const struct sim_handlers *h) {
#if defined(__x86_64__)
    if (!strcmp(h->isa, "avx512"))
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
               __builtin_cpu_supports("avx512cd");
    if (!strcmp(h->isa, "avx2"))
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#endif
    return !strcmp(h->isa, "baseline");
}
/* The compiled sets of handlers, best first. isas.mk defines SIM_HAVE_... for each. */
static const struct sim_handlers *const built[] = {
#ifdef SIM_HAVE_avx512
    &sim_handlers_avx512,
#endif
#ifdef SIM_HAVE_avx2
    &sim_handlers_avx2,
#endif
    &sim_handlers_baseline,
};
/* Returns the named set of handlers, or the best one for NULL. Returns NULL if the set was not compiled, or if the host
 * lacks its instructions. */
static const struct sim_handlers *find_handlers(const char *isa) {
    for (unsigned k = 0; k < sizeof built / sizeof *built; k++)
        if (host_runs(built[k]) && (!isa || !strcmp(isa, built[k]->isa))) return built[k];
    return NULL;
}

/* Beginning of the names of functions that launch a kernel from a kernel (ptx/builtins.def). */
static const char launches[] = "__cudaCDP2LaunchDevice";
static bool decode_all(struct sim_program *p, const struct sim_handlers *handlers, struct sim_error *error) {
    const struct ptx_module *m = p->module;
    p->isa = handlers->isa, p->combine = handlers->combine;
    for (unsigned op = 0; op < PTX_OP_COUNT; op++)
        p->asynchronous |=
            m->has[op] && (strstr(ptx_ops[op].mnemonic, "async") || strstr(ptx_ops[op].mnemonic, "mbarrier"));
    for (unsigned k = 0; k < m->function_count; k++) {
        struct sim_function *f = &p->functions[k];
        f->source = m->functions[k];
        p->launches |= !strncmp(f->source->name, launches, sizeof launches - 1);
        f->entry = p->code_count;
        p->code_count += f->source->code_count;
        f->end = p->code_count;
        if (!lay_out(f)) return false;
    }
    if (!sim_lay_out_shared(p)) return false;
    p->code = aligned_alloc(64, (p->code_count + 1) * sizeof *p->code);
    p->source = calloc(p->code_count + 1, sizeof *p->source);
    p->function_of = calloc(p->code_count + 1, sizeof *p->function_of);
    if (!p->code || !p->source || !p->function_of) return false;
    memset(p->code, 0, (p->code_count + 1) * sizeof *p->code);
    for (unsigned k = 0; k < m->function_count; k++) {
        struct sim_function *f = &p->functions[k];
        for (uint32_t n = 0; n < f->source->code_count; n++) {
            const struct ptx_insn *i = &f->source->code[n];
            p->code[f->entry + n].source = p->source[f->entry + n] = i;
            p->function_of[f->entry + n] = k;
            f->calls |= i->op == PTX_OP_alloca || (i->call && (!i->call->callee || i->call->callee->defined));
            if (!sim_decode(p, f, &p->code[f->entry + n], handlers, error)) return false;
        }
        if (!sim_find_unused_results(p, f) || !sim_find_uses(p, f)) return false;
        if (!sim_find_dropped(p, f) || !sim_find_carriers(p, f)) return false;
    }
    if (!sim_find_uses_behind_calls(p) || !sim_find_provenance(p) || !sim_track_undefined(p)) return false;
    sim_find_skips(p);
    for (unsigned k = 0; k < m->function_count; k++)
        p->functions[k].frame_bytes = sim_align(p->functions[k].frame_bytes, ROW_ALIGN);
    return true;
}

static struct sim_program *make(const struct ptx_module *module, const char *isa, uint64_t base,
                                struct sim_error *error) {
    const struct sim_handlers *handlers = find_handlers(isa);
    if (!handlers) {
        snprintf(error->message, sizeof error->message, "no handlers for the instruction set `%s` on this host", isa);
        return NULL;
    }
    struct sim_program *p = calloc(1, sizeof *p);
    snprintf(error->message, sizeof error->message, "out of memory");
    if (!p) return NULL;
    p->module = module;
    p->functions = calloc(module->function_count + 1, sizeof *p->functions);
    if (!p->functions || !lay_out_variables(p, base) || !decode_all(p, handlers, error)) {
        sim_program_free(p);
        return NULL;
    }
    error->message[0] = 0;
    return p;
}
struct sim_program *sim_program_new(const struct ptx_module *module, struct sim_error *error) {
    return make(module, NULL, 0, error);
}
struct sim_program *sim_program_new_isa(const struct ptx_module *module, const char *isa, struct sim_error *error) {
    return make(module, isa, 0, error);
}
struct sim_program *sim_program_new_at(const struct ptx_module *module, uint64_t base, struct sim_error *error) {
    return make(module, NULL, base, error);
}
void sim_program_free(struct sim_program *p) {
    if (!p) return;
    for (unsigned k = 0; p->functions && k < p->module->function_count; k++) {
        struct sim_function *f = &p->functions[k];
        free(f->register_offset);
        free(f->extent);
        free(f->param_offset);
        free(f->local_offset);
        free(f->fills);
        free(f->zero);
        free(f->undefined);
        free(f->symbols);
        sim_ahead_free(f->ahead);
    }
    free(p->functions);
    free(p->code);
    free(p->source);
    free(p->function_of);
    free(p->variable_address);
    free(p->shared_offset);
    free(p->bounds);
    free(p->tracked);
    free(p->tracked_of);
    free(p);
}
void sim_kernel_bytes(const struct sim_program *p, const struct ptx_function *kernel, uint32_t *shared,
                      uint32_t *local) {
    const struct sim_function *f = &p->functions[kernel->index];
    *shared = f->shared_bytes - f->reserved_bytes, *local = f->local_bytes;
}
const struct ptx_module *sim_program_module(const struct sim_program *p) { return p->module; }
