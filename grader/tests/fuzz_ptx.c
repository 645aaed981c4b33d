/* A target for libFuzzer. Any bytes must give a module or an error, and any module a program or an error. A rejected
 * module may be partly usable; an accepted module must be completely usable. */
#include "ptx/ptx.h"
#include "sim/sim.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct ptx_error e;
    struct sim_error s;
    struct ptx_module *strict = ptx_parse((const char *)data, size, "fuzz", &e);
    struct ptx_module *m = ptx_parse_usable((const char *)data, size, "fuzz", &e);
    if (strict && !m) abort();
    ptx_free(strict);
    if (!m) return 0;
    char text[600];
    for (unsigned f = 0; f < m->function_count; f++) {
        for (unsigned k = 0; k < m->functions[f]->code_count; k++)
            ptx_print(m, m->functions[f], &m->functions[f]->code[k], text, sizeof text);
        for (const struct ptx_reason *r = m->functions[f]->reasons; r; r = r->next) ptx_why(m, r, text, sizeof text);
    }
    sim_program_free(sim_program_new_isa(m, "baseline", &s));
    ptx_free(m);
    return 0;
}
