/* See clean.h. */
#include "judge/clean.h"
#include "base/hash.h"
#include <stdatomic.h>
#include <sys/mman.h>
#include <time.h>

enum {
    SLOTS = 1 << 13 /* twice the maximum number of a check's cases */,
    WAITS = 2000 /* of one millisecond each */
};
struct clean_table {
    atomic_bool off; /* a shared case was not clean, so the submission has probably failed a check */
    struct slot {
        atomic_ullong key; /* hash of the case, or 0 */
        atomic_bool known;
        struct clean_case of; /* valid if `known` is set */
    } slot[SLOTS];
};
struct clean_table *clean_new(void) {
    void *t = mmap(NULL, sizeof(struct clean_table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return t == MAP_FAILED ? NULL : t;
}
void clean_free(struct clean_table *t) {
    if (t) munmap(t, sizeof *t);
}
bool clean_is_shared(const struct judge *j) { return j->clean && j->check && j->student.device->measures; }
/* Returns a hash of all members that may differ between a grade's measured cases. */
static uint64_t key_of(const struct judge *j, const struct grade_case *c) {
    const uint64_t of[] = {(uint64_t)(c->kernel - j->lab->kernels),
                           variant_index(c->variant),
                           c->n,
                           c->block,
                           c->data,
                           c->grid,
                           c->spare,
                           c->launches,
                           c->wrap,
                           c->offset,
                           c->cluster};
    return hash_bytes(HASH_START, of, sizeof of) | 1;
}
/* Returns the slot of the case, or NULL if the table is full. Sets *ours if the slot is new. */
static struct slot *slot_of(struct clean_table *t, uint64_t key, bool *ours) {
    for (unsigned k = 0; k < SLOTS; k++) {
        struct slot *s = &t->slot[((key >> 1) + k) % SLOTS];
        unsigned long long old = 0;
        *ours = atomic_compare_exchange_strong(&s->key, &old, key);
        if (*ours || old == key) return s;
    }
    return NULL;
}
enum clean_state clean_take(const struct judge *j, const struct grade_case *c, struct clean_case *known) {
    bool ours;
    if (!clean_is_shared(j) || !c->measured || atomic_load(&j->clean->off)) return CLEAN_UNSHARED;
    const struct slot *s = slot_of(j->clean, key_of(j, c), &ours);
    if (!s) return CLEAN_UNSHARED;
    if (ours) return CLEAN_OURS;
    if (!atomic_load(&s->known)) return CLEAN_ELSEWHERE;
    *known = s->of;
    return CLEAN_KNOWN;
}
enum clean_state clean_wait(const struct judge *j, const struct grade_case *c, struct clean_case *known) {
    const struct timespec pause = {.tv_nsec = 1000000};
    enum clean_state state;
    for (unsigned k = 0; (state = clean_take(j, c, known)) == CLEAN_ELSEWHERE && k < WAITS; k++)
        nanosleep(&pause, NULL);
    return state == CLEAN_ELSEWHERE ? CLEAN_UNSHARED : state;
}
bool clean_set(const struct judge *j, const struct grade_case *c, const struct outcome *o) {
    bool ours;
    struct slot *s = slot_of(j->clean, key_of(j, c), &ours);
    const bool clean = o->kind == OUTCOME_RIGHT && !o->measurement.findings.count;
    if (s && clean) {
        s->of = (struct clean_case){o->work, o->effort};
        atomic_store(&s->known, true);
    } else
        atomic_store(&j->clean->off, true);
    return clean;
}
