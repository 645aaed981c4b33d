/* Generates the manual page and the shell completions from the option tables. */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

/* A command: ./grade itself, whose word is "", or a subcommand. */
struct described {
    const char *word, *arguments, *what;
    const struct argp_option *rows; /* terminated by one without a name */
};
enum { DESCRIBED = 3 };
void describe_commands(struct described out[DESCRIBED]);

/* man(7). */
void describe_man(FILE *out);
/* Completions for a shell of DESCRIBE_SHELLS; false if unknown. */
#define DESCRIBE_SHELLS "bash, zsh or fish"
bool describe_shell(FILE *out, const char *shell);

/* Writes the values of an option, separated by blanks, such as "auto sim cuda"; "FILE" for file names; "" for any
 * value. */
void describe_values(const struct argp_option *row, char *out, size_t size);

#endif
