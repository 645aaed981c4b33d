/* The program's modules and their kernels. A module is parsed when the program first needs one of its kernels or
 * variables. */
#include "base/array.h"
#include "exec/serve.h"
#include "model/gpus/gpu.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MODULE_SHIFT = 48, MAX_MODULES = 2048, MAX_FILES = 1024, USUAL_SHARED = 48 << 10 };

int exec_module_add(struct exec_session *s, const uint8_t *image, size_t length) {
    struct exec_module **all = array_room(s->module, s->modules + 1, &s->modules_room, sizeof *all);
    struct exec_module *m = calloc(1, sizeof *m);
    if (all) s->module = all;
    if (!all || !m || s->modules == MAX_MODULES || !(m->image = malloc(length + 1))) return free(m), ERROR_MEMORY;
    memcpy(m->image, image, length);
    m->length = length;
    s->module[s->modules++] = m;
    return ERROR_NONE;
}

/* Returns the compute capability of the simulated GPU, such as 90 for 9.0. */
static unsigned simulated_arch(void) {
    unsigned major = 0, minor = 0;
    sscanf(gpu_default->compute_capability, "%u.%u", &major, &minor);
    return 10 * major + minor;
}
/* Reads and links the PTX of the module's files. Leaves out CUDA's device runtime library, which has no PTX for this
 * GPU: the simulator provides its functions. */
static void read_text(struct exec_module *m) {
    char *text[MAX_FILES];
    unsigned count = 0;
    size_t bytes = 0;
    for (size_t at = 0; at < m->length && count < MAX_FILES; at += bytes) {
        bytes = exec_fatbin_bytes(m->image + at, m->length - at);
        if (bytes)
            text[count] = exec_fatbin_ptx(m->image + at, bytes, simulated_arch(), &m->arch, m->why, sizeof m->why);
        else /* the image is PTX */
            bytes = strnlen(m->image + at, m->length - at) + 1, text[count] = strndup(m->image + at, bytes);
        if (text[count]) count++;
    }
    if (count) m->why[0] = 0;
    if (count == 1)
        m->text = text[0];
    else if (count && !(m->text = ptx_link((const char *const *)text, count)))
        snprintf(m->why, sizeof m->why, "out of memory");
    for (unsigned k = 0; count > 1 && k < count; k++) free(text[k]);
}
static void load(struct exec_session *s, struct exec_module *m, unsigned number) {
    struct ptx_error parse;
    struct sim_error decode;
    m->tried = true;
    read_text(m);
    free(m->image), m->image = NULL;
    if (!m->text) return;
    m->ptx = ptx_parse_usable(m->text, strlen(m->text), "device code", &parse);
    if (!m->ptx) {
        snprintf(m->why, sizeof m->why, "%s:%u: %s", parse.source_line ? parse.source_file : "PTX",
                 parse.source_line ? parse.source_line : parse.text_line, parse.message);
        return;
    }
    m->program = sim_program_new_at(m->ptx, EXEC_FAR_BASE + ((uint64_t)(number + 1) << MODULE_SHIFT), &decode);
    if (!m->program)
        snprintf(m->why, sizeof m->why, "%s", decode.message);
    else if (!sim_add_program(s->sim, m->program))
        snprintf(m->why, sizeof m->why, "out of memory");
}
struct exec_module *exec_module_use(struct exec_session *s, unsigned number, int *error) {
    struct exec_module *m = number < s->modules ? s->module[number] : NULL;
    *error = ERROR_IMAGE;
    if (!m) return NULL;
    if (!m->tried) {
        load(s, m, number);
        if (m->why[0])
            exec_add_finding(s, HOST_NO_CODE, NULL, "The program's device code cannot run here: %s.", m->why);
    }
    *error = m->why[0] ? ERROR_IMAGE : ERROR_NONE;
    return m->why[0] ? NULL : m;
}

static void describe(const struct exec_launched *k, struct exec_kernel *out) {
    const struct ptx_function *f = k->function;
    *out =
        (struct exec_kernel){.number = k->number, .parameters = f->param_count, .dynamic = (uint32_t)k->most_dynamic};
    sim_kernel_bytes(k->module->program, f, &out->shared, &out->local);
    out->registers = 32; /* a typical value, because only the assembler determines the real one */
    out->carveout = -1;
    out->most_threads = f->max_threads ? f->max_threads : SIM_MAX_THREADS;
    out->ptx = k->module->arch, out->version = simulated_arch();
    for (unsigned v = 0; v < k->module->ptx->variable_count; v++)
        if (k->module->ptx->variables[v]->space == PTX_CONST)
            out->constant += (uint32_t)k->module->ptx->variables[v]->size;
    uint32_t at = 0;
    for (unsigned p = 0; p < f->param_count; p++) {
        const uint32_t align = f->params[p]->align ? f->params[p]->align : 1;
        out->offset[p] = at = (at + align - 1) / align * align;
        out->bytes[p] = (uint32_t)f->params[p]->size;
        at += out->bytes[p];
    }
}
int exec_kernel_find(struct exec_session *s, unsigned module, const char *name, struct exec_reply *r) {
    int error;
    struct exec_module *m = exec_module_use(s, module, &error);
    if (!m) return error;
    const struct ptx_function *f = ptx_find_function(m->ptx, name);
    if (!f || !f->entry || f->param_count > EXEC_PARAMETERS) return ERROR_DEVICE_FUNCTION;
    struct exec_launched *all = array_room(s->kernel, s->kernels + 1, &s->kernels_room, sizeof *all);
    if (!all) return ERROR_MEMORY;
    s->kernel = all;
    struct exec_launched *k = &all[s->kernels];
    uint32_t shared, local;
    sim_kernel_bytes(m->program, f, &shared, &local);
    *k = (struct exec_launched){.module = m, .function = f, .number = s->kernels++};
    k->most_dynamic = shared < USUAL_SHARED ? USUAL_SHARED - shared : 0;
    struct exec_kernel out;
    describe(k, &out);
    return exec_reply_add(r, &out, sizeof out) ? ERROR_NONE : ERROR_MEMORY;
}
int exec_kernel_names(struct exec_session *s, unsigned module, struct exec_reply *r) {
    int error;
    const struct exec_module *m = exec_module_use(s, module, &error);
    for (unsigned k = 0; m && !error && k < m->ptx->function_count; k++) {
        const struct ptx_function *f = m->ptx->functions[k];
        if (!f->entry) continue;
        r->head.a[0]++;
        if (!exec_reply_add(r, f->name, strlen(f->name) + 1)) error = ERROR_MEMORY;
    }
    return error;
}
