/* Sets up the module's __device__ and __constant__ variables for a run: applies --set and selects the variables
 * that the record lists. */
#include "run/run.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the compiler created the variable, as it does for the format strings of printf(). */
static bool is_hidden(const struct ptx_variable *v) {
    return *v->name == '$' || !strncmp(v->name, "__", 2) || !strcmp(v->name, PTX_GRID_WORKSPACE);
}
static bool is_listed(const struct ptx_variable *v) {
    return (v->space == PTX_GLOBAL || v->space == PTX_CONST) && v->size && !v->external && !is_hidden(v);
}
static const struct run_type *type_of(enum run_kind kind, unsigned bytes) {
    for (unsigned k = 0; k < run_type_count; k++)
        if (run_types[k].kind == kind && run_types[k].bytes == bytes) return &run_types[k];
    return NULL;
}
/* Returns the element type that the source declares, or else the type of the PTX variable. */
static const struct run_type *element_of(const struct ptx_module *m, struct run_sources *s,
                                         const struct ptx_variable *v) {
    char plain[256];
    const struct run_type *t = run_declared_type(m, s, finding_source_name(v->name, plain, sizeof plain));
    const bool real = v->type == PTX_F16 || v->type == PTX_F32 || v->type == PTX_F64,
               has_sign = v->type == PTX_S8 || v->type == PTX_S16 || v->type == PTX_S32 || v->type == PTX_S64;
    if (t && v->size % t->bytes == 0) return t;
    return type_of(real ? RUN_FLOAT : has_sign ? RUN_SIGNED : RUN_UNSIGNED, ptx_type_bits(v->type) / 8);
}
static struct run_argument *find(struct run *r, const char *text, size_t length, char *message, size_t size) {
    struct run_argument *found = NULL;
    char name[256], whole[256], plain[256];
    size_t used =
        (size_t)snprintf(message, size, "--set %s: no such __device__ or __constant__ variable in the module", text);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    for (unsigned k = 0; k < r->variables; k++) {
        const char *symbol = r->variable[k].variable->name;
        if (used < size)
            used += (size_t)snprintf(message + used, size - used, "%s%s",
                                     k ? ", " : "; its variables are: ", run_demangle(symbol, whole, sizeof whole));
        finding_source_name(symbol, plain, sizeof plain);
        if (strcmp(symbol, name) && strcmp(plain, name) &&
            !run_is_called(run_demangle(symbol, whole, sizeof whole), name))
            continue;
        if (found) return snprintf(message, size, "--set %s: more than one variable has this name", text), NULL;
        found = &r->variable[k];
    }
    return found;
}
static bool set(struct run *r, struct run_sources *s, const char *text, uint64_t *random, char *message, size_t size) {
    const char *equals = strchr(text, '=');
    struct run_argument *a = find(r, text, (size_t)(equals - text), message, size);
    char why[300];
    if (!a) return false;
    run_argument_free(a);
    a->type = NULL, a->unset = false;
    if (run_variable_parse(a, equals + 1, a->variable, element_of(r->module, s, a->variable), random, why, sizeof why))
        return true;
    snprintf(message, size, "--set %s: %s", text, why);
    return false;
}
/* Gives the variable its initial contents from the module. The option --set may replace these contents later. */
static bool begin(struct run_argument *a, const struct ptx_module *m, struct run_sources *s,
                  const struct ptx_variable *v) {
    *a = (struct run_argument){.variable = v, .type = element_of(m, s, v), .buffer = true, .unset = !v->init};
    finding_source_name(v->name, a->name, sizeof a->name);
    if (!a->type) return true;
    a->count = v->size / a->type->bytes;
    a->initialized = true, a->fill = RUN_FILL_SAME;
    if (!run_buffer_new(a)) return false;
    if (v->init) memcpy(a->data, v->init, v->size);
    return true;
}
bool run_variables(struct run *r, uint64_t *random, char *message, size_t size) {
    struct run_sources *s = run_sources_new(r->module);
    bool ok = true;
    for (unsigned k = 0; ok && k < r->module->variable_count && r->variables < RUN_MAX_VARIABLES; k++)
        if (is_listed(r->module->variables[k])) {
            ok = begin(&r->variable[r->variables++], r->module, s, r->module->variables[k]);
            if (!ok) snprintf(message, size, "out of memory");
        }
    for (unsigned k = 0; ok && k < r->options->sets; k++) ok = set(r, s, r->options->set[k], random, message, size);
    run_sources_free(s);
    return ok;
}
