/* Implements --step, which steps through a launch with commands from standard input. It follows one warp and lets the
 * others run between that warp's instructions. When the followed warp exits, --step follows the next warp that runs. */
#include "run/look.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_LENGTH = 256 };
enum mode { MODE_STEP, MODE_NEXT, MODE_UNTIL, MODE_CONTINUE };

struct access {
    bool happened;
    enum sim_access_kind kind;
    char name[64];
    uint64_t first, last, count; /* indices of the accessed elements, and the number of elements of the object */
};
struct run_step {
    const struct run *run;
    FILE *in, *out;
    bool echo; /* whether to print each command, because standard input is not a terminal */
    struct run_sources *sources;
    bool anyone, quit;
    uint32_t block, warp; /* the followed warp, unless `anyone` is set */
    enum mode mode;
    uint64_t repeat;
    uint32_t goal; /* target line and file of MODE_UNTIL */
    const char *goal_file;
    struct run_line at;
    /* The last instruction of the followed warp and its active lanes. `pc` is NOWHERE before the first instruction. */
    uint32_t pc, active;
    struct access access;
    char last_command[LINE_LENGTH];
    const struct sim_watch *now;
    struct run_look look;
};
#define NOWHERE UINT32_MAX

/* ---- after an instruction ---------------------------------------------------------------------- */
static bool followed(const struct run_step *s, const struct sim_where *w) {
    return !s->anyone && w->block == s->block && w->warp == s->warp;
}
static void access_happened(void *self, const struct sim_access *e) {
    struct run_step *s = self;
    if (!followed(s, e->where) || e->object->kind == SIM_PARAMETERS) return;
    uint64_t low = UINT64_MAX, high = 0;
    for (uint32_t l = 0; l < SIM_WARP; l++) {
        if (!(e->mask >> l & 1)) continue;
        if (e->offset[l] < low) low = e->offset[l];
        if (e->offset[l] > high) high = e->offset[l];
    }
    const struct finding_place place = finding_place(e->where->launch, e->object, low);
    const unsigned each = finding_element_bytes(e->where->launch, e->pc, e->bytes);
    s->access = (struct access){.happened = true,
                                .kind = e->kind,
                                .first = (low - place.start) / each,
                                .last = (high + e->bytes - 1 - place.start) / each,
                                .count = place.size / each};
    snprintf(s->access.name, sizeof s->access.name, "%s", place.name);
}
/* Prints what the previous instruction did: the memory that it accessed and the registers that it assigned. */
static void show_effect(struct run_step *s, const struct sim_watch *e) {
    static const char *const words[] = {"read", "wrote", "updated"};
    const struct access *a = &s->access;
    const struct ptx_function *f = run_function_of(e->where->launch, s->pc);
    if (a->happened && a->count == 1)
        fprintf(s->out, "     %s %s\n", words[a->kind], a->name);
    else if (a->happened && a->first == a->last)
        fprintf(s->out, "     %s %s[%llu]\n", words[a->kind], a->name, (unsigned long long)a->first);
    else if (a->happened)
        fprintf(s->out, "     %s %s[%llu..%llu]\n", words[a->kind], a->name, (unsigned long long)a->first,
                (unsigned long long)a->last);
    struct run_look l = s->look;
    l.lanes = s->active;
    if (f && s->active) run_look_assigned(&l, f, e->where->launch->code[s->pc]);
}
static void show_place(struct run_step *s) {
    const struct sim_watch *e = s->now;
    char who[120], text[300];
    fprintf(s->out, "%u.%u  ", e->where->block, e->where->warp);
    if (s->at.line) {
        fprintf(s->out, "%s:%u  ", s->at.file, s->at.line);
        run_source_text(s->out, s->at.text ? s->at.text : "");
    } else
        fprintf(s->out, "(no source line)\n");
    run_instruction_text(e->where->launch, e->pc, text, sizeof text);
    fprintf(s->out, "     %s: %s\n", finding_who(TERMS_ALL, e->where->warp, e->active, 0, who, sizeof who), text);
}

/* ---- commands ------------------------------------------------------------------------------- */
/* Executes a command. Returns true if the kernel continues. */
typedef bool command_call(struct run_step *s, const char *rest);
struct command {
    const char *name, *arguments, *summary;
    command_call *call;
};
static bool resume(struct run_step *s, enum mode mode, const char *rest) {
    uint64_t n = 1;
    if (*rest && (!run_number(rest, 1000000, &n) || !n))
        return fprintf(s->out, "     step and next take a number from 1 to 1000000, not `%s`\n", rest), false;
    s->mode = mode, s->repeat = n;
    return true;
}
static bool do_step(struct run_step *s, const char *rest) { return resume(s, MODE_STEP, rest); }
static bool do_next(struct run_step *s, const char *rest) { return resume(s, MODE_NEXT, rest); }
static bool do_continue(struct run_step *s, const char *rest) {
    if (*rest) return fprintf(s->out, "     continue takes no argument; until LINE stops at a line\n"), false;
    return resume(s, MODE_CONTINUE, rest);
}
static bool do_until(struct run_step *s, const char *rest) {
    uint64_t line;
    if (!run_number(rest, UINT32_MAX, &line) || !line)
        return fprintf(s->out, "     until takes the number of a line, such as `until 15`\n"), false;
    const struct sim_launch_info *l = s->now->where->launch;
    bool any = false;
    for (uint32_t pc = 0; pc < l->code_count && !any; pc++) {
        const struct run_line at = run_line_of(l, s->sources, pc);
        any = at.line == line && !strcmp(at.file, s->at.file);
    }
    if (!any) return fprintf(s->out, "     line %u has no instructions\n", (unsigned)line), false;
    s->goal = (uint32_t)line, s->goal_file = s->at.file;
    return resume(s, MODE_UNTIL, "");
}
static bool do_where(struct run_step *s, const char *rest) {
    (void)rest;
    const struct sim_launch_info *launch = s->now->where->launch;
    show_place(s);
    for (uint32_t c = s->now->where->call; c && launch->calls; c = launch->calls[c].caller) {
        const struct run_line l = run_line_of(launch, s->sources, launch->calls[c].pc);
        fprintf(s->out, "     called at %s:%u  ", l.file, l.line);
        run_source_text(s->out, l.text ? l.text : "");
    }
    return false;
}
static bool do_lanes(struct run_step *s, const char *rest) { return (void)rest, run_look_lanes(&s->look), false; }
static bool do_print(struct run_step *s, const char *rest) {
    const struct ptx_function *f = run_function_of(s->now->where->launch, s->now->pc);
    if (*rest)
        run_look_print(&s->look, rest);
    else if (f)
        run_look_operands(&s->look, f, s->now->where->launch->code[s->now->pc]);
    return false;
}
static bool do_list(struct run_step *s, const char *rest) {
    uint64_t middle = s->at.line;
    if (*rest && !run_number(rest, UINT32_MAX - 8, &middle))
        return fprintf(s->out, "     list takes the number of a line\n"), false;
    if (!s->at.line) return fprintf(s->out, "     no source line here\n"), false;
    bool any = false;
    for (uint32_t n = middle > 5 ? (uint32_t)middle - 5 : 1; n <= middle + 5; n++) {
        const char *text = run_source_line(s->sources, s->at.file, n);
        if (!text) continue;
        any = true;
        fprintf(s->out, "   %c%5u  %*s", n == s->at.line ? '>' : ' ', n, (int)strspn(text, " ") % 60, "");
        run_source_text(s->out, text);
    }
    if (!any) fprintf(s->out, "     %s has no such line, or cannot be read\n", s->at.file);
    return false;
}
/* Parses "3" or "1.3" and follows that warp. */
static bool do_warp(struct run_step *s, const char *rest) {
    char copy[LINE_LENGTH];
    uint64_t block = s->block, warp;
    snprintf(copy, sizeof copy, "%s", rest);
    char *dot = strchr(copy, '.');
    if (dot) *dot = 0;
    const struct sim_launch_info *l = s->now->where->launch;
    if ((dot && !run_number(copy, l->blocks - 1, &block)) || !run_number(dot ? dot + 1 : copy, l->warps - 1, &warp))
        return fprintf(s->out, "     warp takes WARP or BLOCK.WARP, with blocks 0 to %u and warps 0 to %u\n",
                       l->blocks - 1, l->warps - 1),
               false;
    const struct sim_warp *other =
        block == s->now->where->block ? sim_warp_of_block(s->now->warp, (uint32_t)warp) : NULL;
    if (other && !sim_warp_where(other)->live)
        return fprintf(s->out, "     warp %u.%u has ended\n", (unsigned)block, (unsigned)warp), false;
    s->block = (uint32_t)block, s->warp = (uint32_t)warp, s->anyone = false, s->pc = NOWHERE;
    fprintf(s->out, "     warp %u.%u selected: `step` continues to the next instruction of this warp\n", s->block,
            s->warp);
    if (other) {
        s->look.warp = other, s->look.where = sim_warp_where(other), s->look.lanes = 0;
        struct sim_group group[SIM_WARP];
        if (sim_groups(other, group)) s->look.lanes = group[0].mask;
        run_look_lanes(&s->look);
    }
    return false;
}
static bool do_warps(struct run_step *s, const char *rest) {
    (void)rest;
    const struct sim_warp *w;
    for (uint32_t k = 0; (w = sim_warp_of_block(s->now->warp, k)); k++) {
        struct run_look l = s->look;
        l.warp = w, l.lanes = w == s->now->warp ? s->now->mask : 0;
        fprintf(s->out, "%u.%u\n", s->now->where->block, k);
        run_look_lanes(&l);
    }
    return false;
}
static bool do_quit(struct run_step *s, const char *rest) {
    (void)rest;
    s->quit = true, *s->now->stop = true;
    return true;
}
static bool do_help(struct run_step *s, const char *rest);
/* A typed word selects the first command that begins with it. */
static const struct command commands[] = {
    {"step", "[N]", "execute one instruction, or N instructions", do_step},
    {"next", "[N]", "continue to the next source line", do_next},
    {"continue", "", "run to the end", do_continue},
    {"until", "LINE", "run until a source line starts", do_until},
    {"print", "[WHAT]",
     "print a value, such as %r1, threadIdx.x, n, s, s[3], in[0..7] or f32 0x7000...; without WHAT, "
     "the registers that this instruction reads",
     do_print},
    {"lanes", "", "show the lanes of this warp, grouped by the line that they execute", do_lanes},
    {"where", "", "show the current block, warp, line, instruction and function calls", do_where},
    {"list", "[LINE]", "show the source lines around LINE or the current line", do_list},
    {"warp", "[BLOCK.]WARP", "select another warp", do_warp},
    {"warps", "", "show the lanes of all warps of this block", do_warps},
    {"quit", "", "quit (the end of the input quits, too)", do_quit},
    {"help", "", "print this list; an empty line repeats the last command", do_help},
};
static bool do_help(struct run_step *s, const char *rest) {
    (void)rest;
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        char both[40];
        snprintf(both, sizeof both, "%s %s", commands[k].name, commands[k].arguments);
        fprintf(s->out, "  %-18s %s\n", both, commands[k].summary);
    }
    fprintf(s->out, "  Commands can be abbreviated: s, n, c, u, p.\n");
    return false;
}
static bool execute(struct run_step *s, const char *line) {
    const size_t n = strcspn(line, " \t");
    const char *rest = line + n + strspn(line + n, " \t");
    for (size_t k = 0; n && k < sizeof commands / sizeof *commands; k++)
        if (!strncmp(commands[k].name, line, n)) return commands[k].call(s, rest);
    fprintf(s->out, "     no command `%.60s`: help lists the commands\n", line);
    return false;
}
/* Reads and trims one line. Truncates long lines. Returns false at the end of the input. */
static bool read_line(struct run_step *s, char out[LINE_LENGTH]) {
    size_t n = 0;
    int c;
    fprintf(s->out, "> ");
    fflush(s->out);
    while ((c = getc(s->in)) != EOF && c != '\n') {
        if (n == 0 && isspace(c)) continue;
        if (n + 1 < LINE_LENGTH) out[n++] = c == '\t' ? ' ' : (c >= ' ' && c < 127) ? (char)c : '?';
    }
    while (n && out[n - 1] == ' ') n--;
    out[n] = 0;
    if (c == EOF && !n) return fputc('\n', s->out), false;
    if (s->echo) fprintf(s->out, "%s\n", out);
    return true;
}
static void talk(struct run_step *s) {
    char line[LINE_LENGTH];
    for (bool on = false; !on;) {
        if (!read_line(s, line)) {
            do_quit(s, "");
            return;
        }
        if (!*line) snprintf(line, sizeof line, "%s", s->last_command);
        if (!*line) continue;
        snprintf(s->last_command, sizeof s->last_command, "%s", line);
        on = execute(s, line);
    }
    fflush(s->out);
}

/* ---- the launch ----------------------------------------------------------------------------- */
static bool arrived(const struct run_step *s, const struct sim_watch *e, const struct run_line *at) {
    const bool new_line = at->line && (at->line != s->at.line || e->pc <= s->pc || s->pc == NOWHERE);
    switch (s->mode) {
    case MODE_STEP: return true;
    case MODE_NEXT: return new_line;
    case MODE_UNTIL: return new_line && at->line == s->goal && !strcmp(at->file, s->goal_file);
    default: return false;
    }
}
static void ended(struct run_step *s) {
    if (s->mode == MODE_STEP || s->mode == MODE_NEXT) fprintf(s->out, "     warp %u.%u has ended\n", s->block, s->warp);
    s->anyone = true;
}
static void watch(void *self, const struct sim_watch *e) {
    struct run_step *s = self;
    if (s->quit) {
        *e->stop = true;
        return;
    }
    if (!s->anyone && e->where->block == s->block && e->where->warp != s->warp) {
        const struct sim_warp *mine = sim_warp_of_block(e->warp, s->warp);
        if (mine && !sim_warp_where(mine)->live) ended(s);
    }
    if (s->anyone) s->anyone = false, s->block = e->where->block, s->warp = e->where->warp, s->pc = NOWHERE;
    if (!followed(s, e->where)) return;
    const struct run_line at = run_line_of(e->where->launch, s->sources, e->pc);
    const bool here = arrived(s, e, &at) && !--s->repeat;
    s->now = e;
    s->look.warp = e->warp, s->look.where = e->where, s->look.lanes = e->mask;
    if (here && s->mode == MODE_STEP && s->pc != NOWHERE) show_effect(s, e);
    s->at = at, s->pc = e->pc, s->active = e->active, s->access.happened = false;
    if (!here) return;
    show_place(s);
    talk(s);
}
static void block_ended(void *self, const struct sim_block_event *e) {
    struct run_step *s = self;
    if (s->quit || s->anyone || e->where->block != s->block || !e->completed) return;
    ended(s);
}
const struct sim_probe run_step_probe = {
    .name = "step", .watch = watch, .access = access_happened, .block_end = block_ended};

struct run_step *run_step_new(const struct run *r, FILE *in, FILE *out) {
    struct run_step *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    s->run = r, s->in = in, s->out = out, s->echo = !isatty(fileno(in));
    s->sources = run_sources_new(r->module);
    s->anyone = true, s->mode = MODE_STEP, s->repeat = 1, s->pc = NOWHERE;
    s->look = (struct run_look){.out = out, .run = r, .sources = s->sources};
    fprintf(out, "Stepping through %s; help lists the commands.\n", r->options->kernel);
    return s;
}
bool run_step_quit(const struct run_step *s) { return s->quit; }
void run_step_free(struct run_step *s) {
    if (s) run_sources_free(s->sources);
    free(s);
}
