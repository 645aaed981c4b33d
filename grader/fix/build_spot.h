/* The location of a compiler error, for the rules that propose edits for it (build_rules.c, build_blocks.c,
 * build_habits.c, build_words.c). */
#ifndef FIX_BUILD_SPOT_H
#define FIX_BUILD_SPOT_H

#include "fix/build.h"

/* An error: its message, its explanation, and its location. */
struct spot {
    const struct source *s;
    const char *message, *note;
    uint32_t line;
    int32_t token; /* the first token at or after the error */
    uint32_t at;   /* the byte of the error, or the first byte of the line if the message has no column */
    enum build_rule rule;
    struct build_edits *out;
};
/* Adds an edit that replaces `removed` bytes at `at` with `text`. Reports quote the tokens from `from` to `to`. */
void propose(const struct spot *p, uint32_t at, uint32_t removed, const char *text, int32_t from, int32_t to);
/* Returns the token on the error's line that is the name in the message's quotes, or -1. */
int32_t named(const struct spot *p);
/* The rules of build_blocks.c. */
void loop_variable(const struct spot *p);
void declaration(const struct spot *p);
void before_loop(const struct spot *p);
void opening_brace(const struct spot *p);
void list_brace(const struct spot *p);
void missing_argument(const struct spot *p);
void struct_for_array(const struct spot *p);
void struct_value(const struct spot *p);
void other_function(const struct spot *p);
void each_member(const struct spot *p);
void mapped_address(const struct spot *p);
void missing_index(const struct spot *p);
void array_member(const struct spot *p);
void stored_input(const struct spot *p);
void swapped_arguments(const struct spot *p);
/* The rules of build_habits.c. */
void foreign_word(const struct spot *p);
void joined_arguments(const struct spot *p);
void void_result(const struct spot *p);
void returned_result(const struct spot *p);
void called_kernel(const struct spot *p);
void brace_before_else(const struct spot *p);
void new_object(const struct spot *p);
void half_value(const struct spot *p);
void not_a_number(const struct spot *p);
void written_product(const struct spot *p);
void shared_value(const struct spot *p);
void list_of_members(const struct spot *p);
void extra_argument(const struct spot *p);
void atomic_of_values(const struct spot *p);
void assigned_zero(const struct spot *p);
void compared_values(const struct spot *p);
void struct_pointer(const struct spot *p);
void pointer_variable(const struct spot *p);
/* The rules of build_words.c. */
void barrier_for_host(const struct spot *p);
void length_of_input(const struct spot *p);
void python_loop(const struct spot *p);
void python_blocks(const struct spot *p);
void returned_members(const struct spot *p);
void included_header(const struct spot *p);
void keyword(const struct spot *p);
void ended_at_zero(const struct spot *p);
void unused_counter(const struct spot *p);
void stored_in_pointer(const struct spot *p);
void returned_comparison(const struct spot *p);
void different_types(const struct spot *p);
/* Returns whether two names differ only in case and underscores. Long names may also differ in one character, or by two
 * swapped ones. */
bool is_slip(const char *a, size_t n, const char *b, size_t m);

#endif
