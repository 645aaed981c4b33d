/* Access to the arguments and results of calls (builtin.h), and the handlers of printf(), assert() and
 * cudaGraphSetConditional(). */
#include "sim/builtin.h"
#include <string.h>

void sim_argument(const struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t lane, uint32_t *word,
                  unsigned words) {
    const struct ptx_call *c = i->source->call;
    memset(word, 0, words * sizeof *word);
    if (k >= c->argument_count) return;
    const uint8_t *row = w->r + sim_parameter_row(w->block->run->program, c->arguments[k]);
    for (unsigned n = 0; n < words && 4 * n < c->arguments[k]->size; n++)
        memcpy(&word[n], row + n * SIM_PARAMETER_ROW + 4 * lane, 4);
}
uint64_t sim_wide_argument(const struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t lane) {
    uint32_t word[2];
    sim_argument(w, i, k, lane, word, 2);
    return word[0] | (uint64_t)word[1] << 32;
}
void sim_answer(struct sim_warp *w, const struct sim_insn *i, uint32_t lane, uint64_t value) {
    const struct ptx_variable *to = i->source->call->result;
    if (!to) return;
    uint8_t *row = w->r + sim_parameter_row(w->block->run->program, to);
    for (unsigned n = 0; 4 * n < to->size; n++, value >>= 32)
        memcpy(row + n * SIM_PARAMETER_ROW + 4 * lane, &(uint32_t){(uint32_t)value}, 4);
}

void sim_builtin_print(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    uint64_t format[SIM_WARP] = {0}, arguments[SIM_WARP] = {0};
    uint32_t converted[SIM_WARP] = {0};
    const uint32_t printing = w->block->run->sim->options.print ? mask : 0;
    SIM_EACH_LANE (l, printing) format[l] = sim_wide_argument(w, i, 0, l), arguments[l] = sim_wide_argument(w, i, 1, l);
    sim_vprintf(w, printing, format, arguments, converted);
    SIM_EACH_LANE (l, mask) sim_answer(w, i, l, converted[l]);
}
/* __assertfail(message, file, line, function, size of a character) */
void sim_builtin_assertion(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    char text[200] = "assertion failed";
    const unsigned lane = (unsigned)__builtin_ctz(mask);
    const uint64_t message = sim_wide_argument(w, i, 0, lane);
    for (unsigned k = 0; k + 1 < sizeof text; k++)
        if (!sim_peek(w, lane, message + k, &text[k], 1) || !text[k]) {
            text[k] = 0;
            break;
        }
    text[sizeof text - 1] = 0;
    struct sim_fault f = {
        .kind = SIM_FAULT_TRAP, .fatal = true, .pc = sim_pc(w, i), .lanes = mask, .other_pc = SIM_NO_PC, .text = text};
    sim_fault(w, &f);
}
/* cudaGraphSetConditional(handle, value): the handle is the address of the value. */
void sim_builtin_condition(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    SIM_EACH_LANE (l, mask) {
        uint32_t value;
        sim_argument(w, i, 1, l, &value, 1);
        sim_answer_at(w, i, l, sim_wide_argument(w, i, 0, l), value, sizeof value);
    }
}
