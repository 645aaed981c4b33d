/* What is made of the tables of options besides --help: the manual page, and completions for shells. */
#ifndef DESCRIBE_H
#define DESCRIBE_H

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

/* A command: ./grade itself, whose word is "", and those that have a word of their own. */
struct described {
    const char *word, *arguments, *what;
    const struct argp_option *rows; /* up to one without a name */
};
enum { DESCRIBED = 3 };
void describe_commands(struct described out[DESCRIBED]);

/* man(7). */
void describe_man(FILE *out);
/* The completions of a shell of DESCRIBE_SHELLS; false: there are none for it. */
#define DESCRIBE_SHELLS "bash, zsh or fish"
bool describe_shell(FILE *out, const char *shell);

/* The words that an option takes, with a blank between them: "auto sim cuda"; "FILE": names of files; "": any. */
void describe_values(const struct argp_option *row, char *out, size_t size);

#endif
