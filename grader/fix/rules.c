/* The table of all rules. */
#include "fix/edits.h"

void rules_all(struct edit_list *l, int32_t function) {
    static void (*const rules[])(struct edit_list *, int32_t) = {
        rules_evident,  rules_expressions, rules_values,  rules_calls,     rules_order, rules_repeated,
        rules_initial,  rules_names,       rules_pairs,   rules_types,     rules_loops, rules_statements,
        rules_barriers, rules_tickets,     rules_missing, rules_fragments, rules_steps, rules_guards,
        rules_together, rules_results,     rules_narrow,  rules_loads};
    const unsigned from = l->count;
    for (size_t k = 0; k < sizeof rules / sizeof *rules; k++) rules[k](l, function);
    rules_alike(l, function, from);
}
