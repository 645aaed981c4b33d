/* Generates the manual page and the shell completions from the tables of options. */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

/* A command: a subcommand, or ./grade itself, whose word is "". */
struct described {
    const char *word, *arguments, *what;
    const struct argp_option *rows; /* terminated by a row without a name */
};
enum {
#define COMMAND(word, ...) DESCRIBED_##word,
#include "commands.def"
#undef COMMAND
    DESCRIBED_LAB, /* ./grade LAB */
    DESCRIBED
};
/* Lists ./grade LAB and the rows of commands.def. */
void describe_commands(struct described out[DESCRIBED]);

/* Writes the manual page, in the format of man(7). */
void describe_man(FILE *out);
/* Writes the completions for one of DESCRIBE_SHELLS. Returns false for any other shell. */
#define DESCRIBE_SHELLS "bash, zsh or fish"
bool describe_shell(FILE *out, const char *shell);

/* Writes the values of an option, separated by spaces, such as "auto sim cuda". Writes "FILE" for the name of a file or
 * folder, and "" if the option has no value or no list of values. */
void describe_values(const struct argp_option *row, char *out, size_t size);

#endif
