/* Writes the completions for bash, zsh and fish. See describe.h. They run the command with --list, so that they
 * offer the labs of the command's course. */
#include "describe.h"
#include "run/run.h"
#include <ctype.h>
#include <string.h>

enum { VALUES = 400, WORDS = 100 };
static const char *command_of(const struct described *d) { return *d->word ? d->word : "grade"; }

/* Writes the names of all commands, separated by `between`. A command's name may appear in place of a lab. */
static char *words(char out[WORDS], const char *between) {
    struct described all[DESCRIBED];
    describe_commands(all);
    *out = 0;
    for (unsigned k = 0; k < DESCRIBED; k++)
        if (*all[k].word) snprintf(out + strlen(out), WORDS - strlen(out), "%s%s", *out ? between : "", all[k].word);
    return out;
}

/* ---- bash -------------------------------------------------------------------------------------------------------- */
static void bash(FILE *out, const struct described all[DESCRIBED]) {
    char values[VALUES], all_words[WORDS];
    fprintf(out,
            "# Completions of grade and ./grade for bash, made by `grade --completions bash`.\n"
            "_grade() {\n"
            "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=grade options values='' "
            "lab='' word\n"
            "    COMPREPLY=()\n"
            "    # --name=VALUE comes as three words\n"
            "    if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
            "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
            "        case $word in\n"
            "        %s) [[ -n $lab ]] || command=$word; lab=$word; break ;;\n"
            "        lab*|all) lab=$word ;;\n"
            "        esac\n"
            "    done\n"
            "    case $command:$prev in\n",
            words(all_words, "|"));
    for (unsigned k = 0; k < DESCRIBED; k++)
        for (const struct argp_option *row = all[k].rows; row->name; row++) {
            if (!row->arg) continue;
            describe_values(row, values, sizeof values);
            fprintf(out, "    %s:--%s", command_of(&all[k]), row->name);
            if (isgraph(row->key)) fprintf(out, "|%s:-%c", command_of(&all[k]), row->key);
            if (!strcmp(values, "FILE"))
                fputs(") compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")); return ;;\n", out);
            else if (*values)
                fprintf(out, ") values='%s' ;;\n", values);
            else
                fprintf(out, ") %s ;;\n", row->flags & OPTION_ARG_OPTIONAL ? "" : "return");
        }
    fputs("    esac\n"
          "    if [[ -n $values ]]; then COMPREPLY=($(compgen -W \"$values\" -- \"$cur\")); return; fi\n"
          "    case $command in\n",
          out);
    for (unsigned k = 0; k < DESCRIBED; k++) {
        fprintf(out, "    %s) options='", command_of(&all[k]));
        for (const struct argp_option *row = all[k].rows; row->name; row++)
            fprintf(out, "--%s%s ", row->name, row->arg && !(row->flags & OPTION_ARG_OPTIONAL) ? "=" : "");
        for (unsigned f = 0; !strcmp(all[k].word, "run") && f < run_flag_count; f++)
            fprintf(out, "%s ", run_flags[f].text);
        fputs("--help' ;;\n", out);
    }
    fprintf(out,
            "    *) options=--help ;;\n"
            "    esac\n"
            "    if [[ $cur == -* ]]; then\n"
            "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
            "        [[ ${COMPREPLY[0]} != *= ]] || compopt -o nospace\n"
            "    elif [[ $command == grade && -z $lab ]]; then\n"
            "        COMPREPLY=($(compgen -W \"all %s $(\"${COMP_WORDS[0]}\" --list 2>/dev/null | cut -d' ' -f1)\" -- "
            "\"$cur\"))\n"
            "        [[ -n ${COMPREPLY[0]} ]] || { compopt -o filenames; COMPREPLY=($(compgen -f -- \"$cur\")); }\n"
            "    elif [[ $command != grade ]]; then\n"
            "        compopt -o filenames\n"
            "        COMPREPLY=($(compgen -f -- \"$cur\"))\n"
            "    fi\n"
            "}\n"
            "complete -F _grade grade\n",
            words(all_words, " "));
}

/* ---- zsh --------------------------------------------------------------------------------------------------------- */
/* Escapes and writes text that is in single quotes and in the brackets of a zsh specification. */
static void zsh_text(FILE *out, const char *text) {
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else if (strchr("[]:\\", *text))
            fprintf(out, "\\%c", *text);
        else
            fputc(*text, out);
}
static void zsh_option(FILE *out, const struct argp_option *row, const char *dashes, const char *name) {
    char values[VALUES];
    const bool optional = row->flags & OPTION_ARG_OPTIONAL, is_long = dashes[1];
    describe_values(row, values, sizeof values);
    fprintf(out, "            '*%s%s%s[", dashes, name, !row->arg ? "" : optional ? "=-" : is_long ? "=" : "+");
    zsh_text(out, row->doc);
    fputc(']', out);
    if (row->arg) {
        fprintf(out, "%s:", optional ? ":" : "");
        zsh_text(out, row->arg);
        fputc(':', out);
        if (!strcmp(values, "FILE"))
            fputs("_files", out);
        else if (*values)
            fprintf(out, "(%s)", values);
        else
            fputc(' ', out);
    }
    fputs("' \\\n", out);
}
static void zsh(FILE *out, const struct described all[DESCRIBED]) {
    char labels[WORDS], patterns[WORDS];
    fprintf(out,
            "#compdef grade\n"
            "# Completions of grade and ./grade for zsh, made by `grade --completions zsh`.\n"
            "_grade_labs() {\n"
            "    local -a labs\n"
            "    labs=(${(f)\"$(${words[1]} --list 2>/dev/null | awk '{ id = $1; $1 = $2 = \"\"; sub(/^ +/, \"\"); "
            "print id \":\" $0 }')\"})\n"
            "    _describe lab labs\n"
            "    compadd all %s\n"
            "    _files\n"
            "}\n"
            "_grade() {\n"
            "    local command=grade\n"
            "    case ${words[2]} in\n"
            "    %s) command=${words[2]}; words[1,2]=(\"${words[1]}\"); ((CURRENT--)) ;;\n"
            "    esac\n"
            "    case $command in\n",
            words(labels, " "), words(patterns, "|"));
    for (unsigned k = 0; k < DESCRIBED; k++) {
        fprintf(out, "    %s)\n        _arguments -s \\\n", command_of(&all[k]));
        for (const struct argp_option *row = all[k].rows; row->name; row++) {
            const char letter[] = {(char)row->key, 0};
            zsh_option(out, row, "--", row->name);
            if (isgraph(row->key)) zsh_option(out, row, "-", letter);
        }
        fputs("            '--help[Show the options]' \\\n", out);
        fputs(!*all[k].word ? "            '1:lab:_grade_labs' ;;\n" : "            '*:file:_files' ;;\n", out);
    }
    fputs("    *) _files ;;\n"
          "    esac\n"
          "}\n"
          "_grade \"$@\"\n",
          out);
}

/* ---- fish -------------------------------------------------------------------------------------------------------- */
static void fish_text(FILE *out, const char *text) {
    fputc('\'', out);
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') fputc('\\', out);
        fputc(*text, out);
    }
    fputc('\'', out);
}
static void fish(FILE *out, const struct described all[DESCRIBED]) {
    char values[VALUES], all_words[WORDS];
    fprintf(out,
            "# Completions of grade and ./grade for fish, made by `grade --completions fish`.\n"
            "function __grade_is\n"
            "    set -l words (commandline -opc)\n"
            "    set -l command grade\n"
            "    if test (count $words) -gt 1; and contains -- $words[2] %s\n"
            "        set command $words[2]\n"
            "    end\n"
            "    test $command = $argv[1]\n"
            "end\n"
            "function __grade_labs\n"
            "    set -l words (commandline -opc)\n"
            "    eval $words[1] --list 2>/dev/null | string replace -r '^(\\S+)\\s+\\S+\\s+' '$1\\t'\n"
            "end\n"
            "complete -c grade -f\n"
            "complete -c grade -n '__grade_is grade' -a '(__grade_labs)'\n"
            "complete -c grade -n 'test (count (commandline -opc)) = 1' -F -a 'all %s'\n" /* a file names a lab */
            "complete -c grade -n 'not __grade_is grade' -F\n",
            words(all_words, " "), all_words);
    for (unsigned k = 0; k < DESCRIBED; k++)
        for (const struct argp_option *row = all[k].rows; row->name; row++) {
            describe_values(row, values, sizeof values);
            fprintf(out, "complete -c grade -n '__grade_is %s' -l %s", command_of(&all[k]), row->name);
            if (isgraph(row->key)) fprintf(out, " -s %c", row->key);
            if (!strcmp(values, "FILE"))
                fputs(" -r -F", out);
            else if (row->arg && !(row->flags & OPTION_ARG_OPTIONAL))
                fputs(" -x", out);
            if (*values && strcmp(values, "FILE") != 0) fprintf(out, " -a '%s'", values);
            fputs(" -d ", out);
            fish_text(out, row->doc);
            fputc('\n', out);
        }
}

bool describe_shell(FILE *out, const char *shell) {
    static const struct {
        const char *name;
        void (*write)(FILE *out, const struct described all[DESCRIBED]);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    struct described all[DESCRIBED];
    describe_commands(all);
    for (unsigned k = 0; k < sizeof shells / sizeof *shells; k++)
        if (!strcmp(shell, shells[k].name)) return shells[k].write(out, all), true;
    return false;
}
