/* Decides whether an edit is a fix, and which of two fixes is better. */
#include "fix/proof.h"
#include "fix/loops.h"
#include <string.h>

enum { FEW_ELEMENTS = 32 };

/* ---- proven -------------------------------------------------------------------------------------------------- */
/* Returns whether all cases that were correct before still are. An edit that only removes code must make all cases
 * correct. */
static bool is_harmless(const struct edit *e, const struct trial_outcome *before, const struct trial_outcome *now) {
    bool harmless = now->right == now->run || e->cause != FIX_SURPLUS;
    for (unsigned k = 0; k < now->run; k++) harmless &= now->is_right[k] || !before->is_right[k];
    return harmless;
}
/* Returns whether the edit makes the correct cases take more than four times the work, for example because one thread
 * now does everything. Such an edit hides the mistake. Compares only those of the edited kernel's cases that have more
 * than FEW_ELEMENTS elements and were correct before. If they are fewer than a quarter of all cases that ran, returns
 * false: they were probably correct by chance, with too little work. */
static bool is_detour(const struct trial *t, const struct trial_outcome *before, const struct trial_outcome *now) {
    uint64_t was = 0, is = 0;
    unsigned cases = 0;
    for (unsigned k = 0; k < now->run; k++)
        if (before->is_right[k] && t->cases[k].n > FEW_ELEMENTS && trial_is_of_kernel(t, k))
            was += before->work_of[k], is += now->work_of[k], cases++;
    return 4 * cases >= now->run && is > 4 * was;
}
/* Returns whether the edit corrects the result by giving up parallelism: one block or lane does all the work, or every
 * block or lane repeats it. */
static bool is_lopsided(const struct trial_outcome *before, const struct trial_outcome *now) {
    const bool shared = before->large && 2 * before->alone <= before->large, alone = 2 * now->alone > now->large;
    return 2 * now->lopsided > now->spread || 2 * now->again > now->several || (shared && alone);
}
/* Returns whether the edit disables the body of a loop, or of an if whose condition it changes. The body accesses
 * memory in the submission, but in no case with the edit, so the edit only hides the mistake. Loops that the edit
 * replaces are not compared. */
static bool is_disabling(const struct trial *t, const struct edit *e, const struct trial_outcome *before,
                         const struct trial_outcome *now) {
    const struct source *s = t->source;
    uint32_t from = UINT32_MAX, to = 0, added = 0;
    for (unsigned k = 0; k < e->parts; k++) {
        const struct edit_part *p = &e->part[k];
        if (p->at < from) from = p->at;
        if (p->at + p->removed > to) to = p->at + p->removed;
        added |= strchr(p->text, '\n') != NULL || memchr(s->text + p->at, '\n', p->removed) != NULL;
    }
    for (int32_t k = 0; k < s->statements && !added && !t->quick; k++) {
        const struct range condition = s->statement[k].condition;
        const bool asks = s->statement[k].kind == STATEMENT_IF && from >= source_begin(s, condition) &&
                          to <= source_end(s, condition);
        if ((loop_around(s, k) != k && !asks) || s->statement[k].body < 0) continue;
        const struct range all = s->statement[k].all, body = s->statement[s->statement[k].body].all;
        const uint32_t head = s->token[s->statement[k].condition.last].line, last = s->token[all.last].line;
        const bool replaced = from <= source_begin(s, all) && to >= source_end(s, all);
        bool was = false, is = false;
        for (uint32_t line = s->token[body.first].line; line <= last && line < TRIAL_LINES; line++)
            if (line > head || last == head) was |= before->accessed[line], is |= now->accessed[line];
        if (was && !is && !replaced) return true;
    }
    return false;
}
/* Returns whether text[at] is the * of *p, not of a product. */
static bool dereferences(const char *text, uint32_t at) {
    uint32_t before = at;
    while (before && (text[before - 1] == ' ' || text[before - 1] == '\n')) before--;
    return text[at] == '*' && before && !is_word(text[before - 1]) && !strchr(")]", text[before - 1]);
}
/* Returns whether text[at] begins the name of the finding's variable, an index, the * of a pointer, an atomic or a
 * synchronization. */
static bool begins_access(const char *text, uint32_t at, const struct finding *f) {
    const char *name = strchr(f->object, '`');
    const size_t length = name ? strcspn(++name, "`") : 0;
    const bool variable =
        length && !strncmp(text + at, name, length) && !is_word(text[at + length]) && (!at || !is_word(text[at - 1]));
    return variable || text[at] == '[' || dereferences(text, at) || !strncmp(text + at, "atomic", 6) ||
           !strncmp(text + at, "_sync", 5);
}
/* Returns whether the edit changes line `line`, which the finding names, and removes an access or a synchronization
 * from the text. */
static bool removes_from(const struct source *s, const struct edit *e, const struct finding *f, uint32_t line) {
    bool here = false, removes = false;
    for (unsigned k = 0; k < e->parts; k++) {
        const struct edit_part *p = &e->part[k];
        uint32_t first = source_line_at(s->text, p->at);
        for (uint32_t at = p->at; at < p->at + p->removed; at++) {
            here |= first == line;
            removes |= begins_access(s->text, at, f);
            first += s->text[at] == '\n';
        }
    }
    return here && removes;
}
/* Returns whether the edit hides an error. A line that a finding names accesses memory in the submission. With the
 * edit, the access is still in the file but no longer executes. */
static bool is_hiding(const struct trial *t, const struct edit *e, const struct trial_outcome *before,
                      const struct trial_outcome *now) {
    for (unsigned k = 0; k < before->findings.count && !t->quick; k++) {
        const struct finding *f = &before->findings.item[k];
        const uint32_t lines[] = {f->at.line, f->other.line};
        for (unsigned n = 0; n < 2 && f->kind->severity == FINDING_ERROR; n++)
            if (lines[n] < TRIAL_LINES && before->accessed[lines[n]] && !now->accessed[lines[n]] &&
                !removes_from(t->source, e, f, lines[n]))
                return true;
    }
    return false;
}
bool outcome_has_finding(const struct trial_outcome *o, const char *kind) {
    for (unsigned k = 0; k < o->findings.count; k++)
        if (!strcmp(o->findings.item[k].kind->key, kind)) return true;
    return false;
}
/* Returns whether threads store the same value at the same time only with the edit. */
static bool adds_equal_stores(const struct trial_outcome *before, const struct trial_outcome *now) {
    return outcome_has_finding(now, "same-value") && !outcome_has_finding(before, "same-value");
}
/* Returns whether the edit only adapts to a mistake that remains: each thread draws a ticket, and the edit divides the
 * tickets by the number of threads. */
static bool adapts(const struct edit *e, const struct trial_outcome *before, const struct trial_outcome *now) {
    return e->cause == FIX_TICKET && before->crowded && now->crowded;
}
/* Returns whether the edit has none of the effects that only hide a mistake. A quick trial lacks the measurements of
 * some effects. */
static bool is_sound(const struct trial *t, const struct edit *e, const struct trial_outcome *before,
                     const struct trial_outcome *now) {
    if (is_disabling(t, e, before, now) || is_hiding(t, e, before, now) || is_lopsided(before, now) ||
        !is_harmless(e, before, now))
        return false;
    return t->quick || (!is_detour(t, before, now) && !adapts(e, before, now) && !adds_equal_stores(before, now));
}
/* Returns whether at most half of the wrong cases that ran with the edit are still wrong. The run may have stopped
 * early, because too many were wrong. */
static bool corrects_half(const struct trial_outcome *before, const struct trial_outcome *now) {
    unsigned wrong = 0;
    for (unsigned k = 0; k < now->run; k++) wrong += !before->is_right[k];
    return 2 * (now->run - now->right) <= wrong;
}
/* Returns whether, with the edit, only operators that do not commute are still wrong, in kernels that keep operands in
 * order. The kernel then takes the right elements in the wrong order. */
static bool disorders(const struct trial *t, const struct trial_outcome *now) {
    bool disorders = false;
    for (unsigned k = 0; k < now->run; k++) {
        if (now->is_right[k] || !trial_is_of_kernel(t, k)) continue;
        if (!t->cases[k].kernel->ordered || variant_commutes(t->cases[k].variant)) return false;
        disorders = true;
    }
    return disorders;
}
bool edit_is_proven(const struct trial *t, const struct edit *e, const struct trial_outcome *before,
                    const struct trial_outcome *now) {
    if (t->strict && now->right < now->run) return false; /* an edit that fixes a warning must make all cases correct */
    return 2 * now->run >= t->count && now->right > before->right && trial_helps(t, before, now) &&
           corrects_half(before, now) && (t->quick || 4 * (now->run - now->right) <= now->run - before->right) &&
           (t->quick || !finding_is_in(&now->findings, finding_gravest(&before->findings))) &&
           (t->quick || !disorders(t, now)) && is_sound(t, e, before, now);
}

/* Returns whether the edit causes an error. An edit that only orders threads or memory lets more code execute, which
 * may show other mistakes. For such an edit, only errors about waiting count. */
static bool causes_error(const struct edit *e, const struct trial_outcome *before, const struct trial_outcome *now) {
    static const char *const about_waiting[] = {"barrier", "deadlock", "sync", "cluster"};
    for (unsigned k = 0; k < now->findings.count; k++) {
        const struct finding *f = &now->findings.item[k];
        bool possible = !cause_orders(e->cause);
        for (size_t n = 0; n < sizeof about_waiting / sizeof *about_waiting; n++)
            possible |= !strncmp(f->kind->key, about_waiting[n], strlen(about_waiting[n]));
        if (possible && f->kind->severity == FINDING_ERROR && !finding_is_in(&before->findings, f)) return true;
    }
    return false;
}
bool edit_removes_finding(const struct edit *e, const struct trial_outcome *before, const struct trial_outcome *now) {
    const struct finding *worst = finding_gravest(&before->findings);
    bool holds =
        worst && now->run == before->run && !finding_is_in(&now->findings, worst) && !causes_error(e, before, now);
    for (unsigned k = 0; k < now->run && holds; k++)
        holds = (now->is_right[k] || !before->is_right[k]) && (now->is_result_right[k] || !before->is_result_right[k]);
    return holds;
}

/* Returns the number of cases whose result is correct, whatever their findings. */
static unsigned right_results(const struct trial_outcome *o) {
    unsigned right = 0;
    for (unsigned k = 0; k < o->run; k++) right += o->is_result_right[k];
    return right;
}
bool edit_makes_progress(const struct trial *t, const struct edit *e, const struct trial_outcome *before,
                         const struct trial_outcome *now) {
    const unsigned wrong = now->run - before->right, gained = now->right - before->right, had = right_results(before),
                   has = right_results(now);
    if (now->run != before->run || now->right < before->right || has < had) return false;
    for (unsigned k = 0; k < now->run; k++)
        if (before->is_result_right[k] && !now->is_result_right[k]) return false;
    const bool removes = edit_removes_finding(e, before, now) && gained >= 2 && 4 * gained >= wrong,
               results = has >= had + 2 && 4 * (has - had) >= 3 * (now->run - had);
    /* identity() is right for every operator, so one case is enough proof. */
    const bool neutral = e->cause == FIX_IDENTITY && e->parts == 1 && !strcmp(e->part->text, "identity()") && has > had;
    /* If no case is right yet, the cause must be the evidence: other edits may correct results by chance. */
    const bool causal = gained || e->cause == FIX_RESET || e->cause == FIX_NOT_RESET || e->cause == FIX_INITIAL_VALUE;
    return (removes || (results && causal) || neutral) && !causes_error(e, before, now) && is_sound(t, e, before, now);
}

bool cause_orders(enum fix_cause cause) {
    static const enum fix_cause causes[] = {
        FIX_BARRIER, FIX_BARRIER_IN_BRANCH,  FIX_WARP_SYNC,      FIX_WARP_SYNC_IN_BRANCH,
        FIX_FENCE,   FIX_FENCE_BEFORE_READS, FIX_CLUSTER_BARRIER};
    for (size_t k = 0; k < sizeof causes / sizeof *causes; k++)
        if (cause == causes[k]) return true;
    return false;
}

/* ---- better --------------------------------------------------------------------------------------------------- */
/* Returns character `n`, counted from the beginning or the end, or a space if the text is too short. */
static char nth(const char *text, size_t length, size_t n, bool from_end) {
    return n >= length ? ' ' : text[from_end ? length - 1 - n : n];
}
/* Returns how many characters the two texts share at the beginning or the end. Part of a word does not count. */
static size_t shared(const char *a, size_t length, const char *b, size_t other, bool from_end) {
    size_t same = 0;
    while (same < length && same < other && nth(a, length, same, from_end) == nth(b, other, same, from_end)) same++;
    while (same && is_word(nth(b, other, same - 1, from_end)) &&
           (is_word(nth(a, length, same, from_end)) || is_word(nth(b, other, same, from_end))))
        same--;
    return same;
}
size_t edit_size(const struct source *s, const struct edit *e) {
    size_t size = 0;
    for (unsigned k = 0; k < e->parts; k++) {
        const char *old = s->text + e->part[k].at, *now = e->part[k].text;
        const size_t was = e->part[k].removed, is = strlen(now), begin = shared(old, was, now, is, false),
                     end = shared(old + begin, was - begin, now + begin, is - begin, true);
        size += was + is - 2 * (begin + end);
    }
    return size;
}
/* Returns a measure of the findings' severity. One error outweighs any number of warnings. */
static unsigned badness(const struct trial_outcome *o) {
    unsigned errors = 0, warnings = 0;
    for (unsigned k = 0; k < o->findings.count; k++) {
        errors += o->findings.item[k].kind->severity == FINDING_ERROR;
        warnings += o->findings.item[k].kind->severity == FINDING_WARNING;
    }
    return errors * (TRIAL_CASES * TRIAL_CASES) + warnings;
}
struct helpful helpful_of(const struct source *s, struct edit *e, const struct trial_outcome *o) {
    return (struct helpful){s, e, o->right, badness(o), false, o->work, o->traffic, edit_size(s, e), 0};
}
/* A preference between two causes. */
struct preference {
    enum fix_cause better, worse;
};
static const struct preference before_work[] =
    {{FIX_ONE_BLOCK, FIX_NOT_WRITTEN}, /* there is a store: its condition is wrong */
     {FIX_CLUSTER_BARRIER, FIX_LOOP},  /* the loop edit would only keep threads from reaching the barrier */
     {FIX_CLUSTER_BARRIER_IN_BRANCH, FIX_LOOP},
     {FIX_CLUSTER_BARRIER_IN_BRANCH,
      FIX_CLUSTER_BARRIER},                       /* an additional barrier would only replace the misplaced one */
     {FIX_OVERWRITTEN, FIX_BARRIER},              /* another barrier would only delay the store */
     {FIX_BRANCH_OF_WARP, FIX_SHUFFLE_IN_BRANCH}, /* other warps need not make the call */
     {FIX_ACROSS_WARPS, FIX_BARRIER},             /* a barrier would only order the warps that continue by mistake */
     {FIX_UNDERFLOW, FIX_TIE},                    /* the comparison, not the rule for equal values, is wrong */
     {FIX_UNDERFLOW, FIX_NO_GUARD}, /* there is a guard, which is wrong only where the difference wraps around */
     {FIX_UNDERFLOW, FIX_GUARD},
     {FIX_UNWRITTEN, FIX_NOT_WRITTEN},   /* there is a store, which also reads */
     {FIX_POINTER, FIX_NOT_WRITTEN},     /* there is an assignment, but to the pointer */
     {FIX_NEIGHBORS, FIX_LOOP_HEADER},   /* says why the loop is wrong */
     {FIX_INITIAL_VALUE, FIX_NOT_RESET}, /* a reset directly after the first value would only discard it */
     {FIX_ONE_THREAD, FIX_NO_GUARD},     /* a bound that lets only one thread store has nothing to do with the store */
     {FIX_WARP_SYNC, FIX_ALL_THREADS},   /* a condition would only keep a lane from writing what another lane reads */
     {FIX_EARLY_END, FIX_RETURNS},       /* other threads wait, too */
     {FIX_EARLY_END, FIX_GUARD},         /* another guard might only keep the threads from returning */
     {FIX_EARLY_END, FIX_CLUSTER_BARRIER}, /* without the early return, all threads reach the barrier */
     {FIX_EARLY_END, FIX_CLUSTER_BARRIER_IN_BRANCH},
     /* without the branch, all blocks do the work of one */
     {FIX_CLUSTER_BARRIER_IN_BRANCH, FIX_SHUFFLE_IN_BRANCH}},
                               after_work[] = {{FIX_WARP_SYNC, FIX_BARRIER}, /* prefer to synchronize fewer threads */
                                               {FIX_BARRIER, FIX_CLUSTER_BARRIER},
                                               {FIX_BARRIER, FIX_CLUSTER_BARRIER_IN_BRANCH}};
/* Returns 1 if the table prefers the cause of `a`, -1 if it prefers that of `b`, and 0 if it has neither. */
static int preferred(const struct preference *table, size_t rows, const struct edit *a, const struct edit *b) {
    for (size_t k = 0; k < rows; k++) {
        if (table[k].better == a->cause && table[k].worse == b->cause) return 1;
        if (table[k].better == b->cause && table[k].worse == a->cause) return -1;
    }
    return 0;
}
#define PREFERRED(table, a, b) preferred(table, sizeof(table) / sizeof *(table), a, b)
bool edit_is_preferred(const struct edit *a, const struct edit *b) { return PREFERRED(before_work, a, b) > 0; }
static bool replaces(const struct edit *e) { return e->parts == 1 && e->part->removed; }
bool edit_is_moved(const struct edit *a, const struct edit *b) {
    const bool missing = a->cause == FIX_NOT_WRITTEN || a->cause == FIX_MISSING_STEP;
    return missing && b->cause == a->cause && a->parts == 1 && b->parts == 1 && !a->part->removed &&
           !b->part->removed && !strcmp(a->part->text, b->part->text);
}
bool edit_includes(const struct edit *a, const struct edit *b) {
    unsigned same = 0;
    for (unsigned k = 0; k < b->parts && a->parts > b->parts; k++)
        for (unsigned n = 0; n < a->parts; n++)
            same += a->part[n].at == b->part[k].at && a->part[n].removed == b->part[k].removed &&
                    !strcmp(a->part[n].text, b->part[k].text);
    return same == b->parts && a->parts > b->parts;
}
/* Returns how far an inserted barrier is from the place where a teacher would put it: once, directly after the
 * statement that stores to memory. Loops around the barrier count most. */
static unsigned misplaced(const struct source *s, const struct edit *e) {
    const struct edit_part *p = &e->part[e->parts - 1];
    unsigned loops = 0;
    for (int32_t k = 0; k < s->statements; k++) {
        const int32_t body = s->statement[k].body;
        if (loop_around(s, k) != k || body < 0) continue;
        loops += p->at > source_begin(s, s->statement[body].all) && p->at < source_end(s, s->statement[body].all);
    }
    const uint32_t end = source_end(s, e->quoted);
    bool stores = false;
    for (int32_t k = e->quoted.first; k < e->quoted.last && p->at >= end; k++)
        stores |= source_is(s, k, "]") && source_is(s, k + 1, "=");
    return 2 * loops + !stores;
}
/* Returns whether the edit changes the index of a thread or block, on which everything else depends. */
static bool renumbers(const struct source *s, const struct edit *e) {
    for (int32_t k = e->quoted.first; k <= e->quoted.last; k++)
        if (source_is(s, k, "threadIdx") || source_is(s, k, "blockIdx")) return true;
    return false;
}
/* Returns whether the edit only inserts a barrier. */
static bool inserts_barrier(const struct edit *e) {
    const bool waits = e->cause == FIX_BARRIER || e->cause == FIX_WARP_SYNC || e->cause == FIX_CLUSTER_BARRIER;
    for (unsigned k = 0; k < e->parts; k++)
        if (e->part[k].removed) return false;
    return waits;
}
/* Returns whether edit `a` changes the value that is assigned to a name, and edit `b` replaces a later use of this
 * name. If the value is threadIdx.x, only the use is wrong. */
static bool is_at_origin(const struct source *s, const struct edit *a, const struct edit *b) {
    const struct edit_part *from = a->part, *to = b->part;
    if (a->parts != 1 || b->parts != 1 || a->function != b->function || from->at >= to->at) return false;
    for (int32_t k = 0; k + 1 < s->tokens && s->token[k].at < from->at; k++) {
        const struct range value = source_is(s, k + 1, "=") ? operand_behind(s, k + 1) : (struct range){0, -1};
        if (range_is_empty(value) || from->at < source_begin(s, value) || from->at >= source_end(s, value)) continue;
        if (value.last == value.first + 2 && source_is(s, value.first, "threadIdx")) return false;
        for (int32_t n = value.last; n < s->tokens && s->token[n].at < to->at + to->removed; n++)
            if (s->token[n].at >= to->at && source_same(s, n, k)) return true;
    }
    return false;
}
bool helpful_is_better(const struct helpful *x, const struct helpful *y, bool quick) {
    const struct edit *a = x->edit, *b = y->edit;
    const unsigned least = quick ? 1 : 2, most = quick ? 4 : 3;
    if (x->right != y->right) return x->right > y->right;
    if (edit_includes(a, b) || edit_includes(b, a)) return edit_includes(b, a);
    if (edit_is_moved(a, b) && x->badness == y->badness)
        return a->part->at > b->part->at; /* prefer a statement after a loop to one inside it */
    const int before = PREFERRED(before_work, a, b), after = PREFERRED(after_work, a, b);
    if (before) return before > 0;
    if ((a->cause == FIX_NEIGHBORS) != (b->cause == FIX_NEIGHBORS) && a->part->at == b->part->at)
        return a->cause == FIX_NEIGHBORS; /* prefer the edit that says why the loop is wrong */
    const struct helpful *idler = x->work < y->work ? x : y, *other = idler == x ? y : x;
    /* If only few threads work, less work is no advantage. */
    const bool dearer = idler->edit->cost > other->edit->cost;
    if ((dearer ? 2 : 1) * most * idler->work < least * other->work)
        return idler == x; /* the other edit adds unnecessary work */
    if (x->badness != y->badness) return x->badness < y->badness;
    if (after) return after > 0;
    if (a->cause == b->cause && inserts_barrier(a) && inserts_barrier(b)) {
        const unsigned of_a = misplaced(x->source, a), of_b = misplaced(x->source, b);
        if (of_a != of_b) return of_a < of_b;
    }
    if (!quick && 4 * x->traffic < 3 * y->traffic) return true; /* check_memory gives it more points */
    if (!quick && 4 * y->traffic < 3 * x->traffic) return false;
    if (a->cost != b->cost) return a->cost < b->cost;
    if (!quick && (10 * x->traffic < 9 * y->traffic || 10 * y->traffic < 9 * x->traffic))
        return x->traffic < y->traffic;
    if (!quick && (10 * x->work < 9 * y->work || 10 * y->work < 9 * x->work)) return x->work < y->work;
    if (a->cause == b->cause && (a->cause == FIX_BARRIER || a->cause == FIX_CLUSTER_BARRIER) &&
        replaces(a) != replaces(b))
        return replaces(a); /* prefer to replace a barrier that waits for too few threads */
    if (x->spares != y->spares) return x->spares;
    if (is_at_origin(x->source, a, b) || is_at_origin(x->source, b, a)) return is_at_origin(x->source, a, b);
    if (x->far != y->far) return x->far < y->far;
    if (x->size != y->size) return x->size < y->size;
    if (renumbers(x->source, a) != renumbers(x->source, b)) return renumbers(x->source, b);
    if (a->function != b->function)
        return a->function < b->function; /* prefer a function that several kernels may call */
    return a->cause == b->cause &&
           (a->cause == FIX_BARRIER || a->cause == FIX_WARP_SYNC || a->cause == FIX_BARRIER_IN_BRANCH ||
            a->cause == FIX_TIE || a->cause == FIX_NAN || a->cause == FIX_RESET) &&
           a->part->at > b->part->at; /* prefer the end of a loop to its beginning */
}
