/* Records the moves of a small block's threads, which the lane map draws. A move consists of the values that a thread
 * has read since its last write, and the value that it then writes. A value from a shuffle is a move, too. Values are
 * read from memory and registers just before the warp's next instruction. Steps have the same keys as in steps.c. */
#include "probes/probe.h"
#include "sim/inspect.h"
#include <limits.h>

enum { MAX_MOVES = 4096, MAX_PENDING = 4 * SIM_WARP, NO_MOVE = UINT_MAX /* NO_MOVE: the lane has not written yet */ };

/* The state of a lane between two writes. */
struct lane_state {
    struct move_place read[MOVE_READS];
    unsigned reads, line;
    uint32_t offered;  /* the word that the lane sends in the shuffle */
    unsigned from;     /* the lane from which this lane reads */
    unsigned before;   /* the move that read the exchange's value, or UINT_MAX */
    unsigned exchange; /* the exchange's move, or UINT_MAX */
};
struct warp_state {
    struct lane_state lane[SIM_WARP];
    unsigned sync;
    uint32_t shuffle_pc;
};
/* A value that is available before the warp's next instruction. A value that the lane's latest load read is in the
 * load's destination registers. One that a move wrote is in memory at `address`. One that the lane received is in
 * register `reg`, which is word `word` of the move. */
struct pending {
    enum { READ_VALUE, WRITTEN_VALUE, RECEIVED_WORD } what;
    unsigned move, read, warp, lane, bytes, word;
    uint32_t reg;
    uint64_t address;
    const struct ptx_operand *to;
};
struct moves_probe {
    struct measurement *m;
    struct moves *list;
    bool done, watching;
    unsigned launches, barriers, pending_count, capacity;
    struct pending pending[MAX_PENDING];
    struct warp_state warp[SIM_MAX_WARPS];
    struct probe_exchanges exchanges;
};

static void *create(struct measurement *m) {
    struct moves_probe *p = probe_alloc(1, sizeof *p);
    p->m = m, p->list = m->result[PROBE_moves];
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++) p->warp[w].shuffle_pc = UINT32_MAX;
    return p;
}
static bool observed(const struct moves_probe *p, const struct sim_where *where) {
    return p->watching && !p->done && where->block == p->m->observed_block;
}
static void launch_begin(void *self, const struct sim_launch_info *launch) {
    struct moves_probe *p = self;
    (void)launch;
    p->watching = p->launches++ >= p->m->observed_launch;
}

/* ---- moves ------------------------------------------------------------------------------------------------ */

static struct move *add_move(struct moves_probe *p, unsigned warp, unsigned lane, unsigned line) {
    struct moves *list = p->list;
    if (list->count == MAX_MOVES) return NULL;
    list->item = probe_room(list->item, list->count + 1, &p->capacity, sizeof *list->item);
    struct move *move = &list->item[list->count++];
    *move = (struct move){
        .barrier = p->barriers, .sync = p->warp[warp].sync, .thread = warp * SIM_WARP + lane, .line = line, .from = -1};
    return move;
}
static void take_reads(struct lane_state *lane, struct move *move) {
    if (move) memcpy(move->read, lane->read, sizeof move->read), move->reads = lane->reads;
    lane->reads = 0;
}
static void expect(struct moves_probe *p, struct pending where) {
    if (p->pending_count < MAX_PENDING) p->pending[p->pending_count++] = where;
}
/* Adds the moves of lanes that read values in this step but wrote none. */
static void close_reads(struct moves_probe *p, unsigned warp) {
    for (unsigned l = 0; l < SIM_WARP; l++)
        if (p->warp[warp].lane[l].reads)
            take_reads(&p->warp[warp].lane[l], add_move(p, warp, l, p->warp[warp].lane[l].line));
}

/* ---- memory ----------------------------------------------------------------------------------------------- */

/* Returns the index of the array that contains the place. Name, space and size identify an array, so that it keeps its
 * index in all launches. In a full list, the last entry stands for all further arrays. */
static uint16_t array_of(struct moves *list, const struct finding_place *place, enum ptx_space space) {
    unsigned k = 0;
    while (k < list->arrays && (list->array[k].space != space || list->array[k].size != place->size ||
                                strcmp(list->array[k].name, place->name) != 0))
        k++;
    if (k == list->arrays && k < MOVE_ARRAYS) {
        struct move_array *a = &list->array[list->arrays++];
        memcpy(a->name, place->name, sizeof a->name);
        a->space = space, a->size = place->size;
    }
    return (uint16_t)(k < MOVE_ARRAYS ? k : MOVE_ARRAYS - 1);
}
static struct move_place touch_of(struct moves_probe *p, const struct sim_access *e, unsigned lane) {
    struct finding_place place = finding_place(e->where->launch, e->object, e->offset[lane]);
    finding_name_owner(e->object, e->where, place.name, sizeof place.name);
    const uint64_t end = e->object->space == PTX_SHARED ? e->where->launch->shared_bytes : e->object->size;
    if (place.size > end - place.start)
        place.size = end - place.start; /* only the allocated part of dynamic shared memory */
    return (struct move_place){.array = array_of(p->list, &place, e->object->space),
                               .bytes = e->bytes,
                               .offset = e->offset[lane] - place.start};
}
static void access(void *self, const struct sim_access *e) {
    struct moves_probe *p = self;
    if (!observed(p, e->where) || (e->object->space != PTX_GLOBAL && e->object->space != PTX_SHARED)) return;
    const unsigned line = finding_site(e->where, e->pc, e->mask).line;
    const struct ptx_insn *i = e->where->launch->code[e->pc];
    EACH_LANE (l, e->mask) {
        struct lane_state *lane = &p->warp[e->where->warp].lane[l];
        const struct move_place touch = touch_of(p, e, l);
        const bool reads = e->kind != SIM_STORE && lane->reads < MOVE_READS;
        if (reads) lane->read[lane->reads++] = touch;
        lane->line = line;
        struct move *move = e->kind == SIM_LOAD ? NULL : add_move(p, e->where->warp, l, line);
        struct pending value = {.move = move ? (unsigned)(move - p->list->item) : NO_MOVE,
                                .read = lane->reads - 1,
                                .warp = e->where->warp,
                                .lane = l,
                                .bytes = e->bytes,
                                .address = e->object->address + e->offset[l],
                                .to = i ? &i->operand[0] : NULL};
        if (reads && i && (move || e->kind == SIM_LOAD)) expect(p, value);
        if (e->kind == SIM_LOAD) continue;
        take_reads(lane, move);
        if (move) move->writes = true, move->write = touch;
        value.what = WRITTEN_VALUE;
        if (move) expect(p, value);
    }
}

/* ---- shuffles --------------------------------------------------------------------------------------------- */

static uint64_t operand(const struct sim_watch *e, unsigned lane, const struct ptx_operand *o) {
    uint64_t v = 0;
    if (o->kind == PTX_REGISTER) sim_lane_register(e->warp, lane, o->reg, &v);
    return o->kind == PTX_REGISTER ? v : o->imm;
}
/* Returns the lane that a shuffle reads. c has the clamp value and the segment mask (PTX ISA, shfl.sync). A lane with a
 * source out of range keeps its own value. */
static unsigned source_lane(const struct ptx_insn *i, unsigned lane, unsigned b, unsigned c) {
    const unsigned segment = c >> 8 & 31, low = lane & segment, high = low | (c & 31 & ~segment);
    b &= 31;
    unsigned from = lane;
    switch (ptx_mod_of(i, PTX_CLASS_MODE)) {
    case PTX_MOD_UP: return lane >= b + high ? lane - b : lane;
    case PTX_MOD_DOWN: from = lane + b; break;
    case PTX_MOD_BFLY: from = lane ^ b; break;
    default: from = low | (b & ~segment); break;
    }
    return from <= high ? from : lane;
}
/* Sets the value of a lane's read from the load's destination: a register, or a vector of two registers that hold the
 * value together. */
static void set_read(const struct sim_watch *e, const struct pending *q, struct move_place *reads) {
    const struct ptx_operand *one[2] = {q->to, NULL};
    struct move_place *read = &reads[q->read];
    if (q->to->kind == PTX_VECTOR && q->to->count == 2) one[0] = &q->to->elements[0], one[1] = &q->to->elements[1];
    read->valued = read->bytes <= sizeof read->value && one[0]->kind == PTX_REGISTER;
    read->value = 0;
    for (unsigned k = 0; k < 2 && one[k] && read->valued; k++) {
        const unsigned bits = 8 * read->bytes / (one[1] ? 2 : 1);
        uint64_t word = 0;
        read->valued = one[k]->kind == PTX_REGISTER && sim_lane_register(e->warp, q->lane, one[k]->reg, &word);
        read->value |= (bits < 64 ? word & ((UINT64_C(1) << bits) - 1) : word) << k * bits;
    }
}
static void watch(void *self, const struct sim_watch *e) {
    struct moves_probe *p = self;
    if (!observed(p, e->where)) return;
    unsigned kept = 0;
    for (unsigned k = 0; k < p->pending_count; k++) {
        const struct pending *q = &p->pending[k];
        struct move *move = q->move == NO_MOVE ? NULL : &p->list->item[q->move];
        uint64_t word = 0;
        if (q->what == WRITTEN_VALUE) {
            struct move_place *to = &move->write;
            to->valued = q->bytes <= sizeof to->value &&
                         sim_lane_read(e->warp, lowest_lane(e->mask), q->address, &to->value, q->bytes);
        } else if (q->warp != e->where->warp)
            p->pending[kept++] = *q;
        else if (q->what == READ_VALUE)
            set_read(e, q, q->move == NO_MOVE ? p->warp[q->warp].lane[q->lane].read : move->read);
        else {
            move->received_mask |= (unsigned)sim_lane_register(e->warp, q->lane, q->reg, &word) << q->word;
            move->received[q->word] = (uint32_t)word;
        }
    }
    p->pending_count = kept;
    const struct ptx_insn *i = e->where->launch->code[e->pc];
    if (!i || i->op != PTX_OP_shfl) return;
    EACH_LANE (l, e->active) {
        struct lane_state *lane = &p->warp[e->where->warp].lane[l];
        lane->offered = (uint32_t)operand(e, l, &i->operand[1]);
        lane->from =
            source_lane(i, l, (unsigned)operand(e, l, &i->operand[2]), (unsigned)operand(e, l, &i->operand[3]));
    }
}
/* Returns 0 if the shuffle at `pc` sends the low word of a 64-bit register, 1 for the high word, and -1 otherwise. A
 * double or long long takes two 32-bit shuffles. */
static int word_of(const struct sim_launch_info *launch, uint32_t pc) {
    enum { FAR = 64 };
    const struct ptx_operand *sent = &launch->code[pc]->operand[1];
    for (uint32_t k = pc; sent->kind == PTX_REGISTER && k-- > 0 && pc - k < FAR && launch->code[k];) {
        const struct ptx_insn *i = launch->code[k];
        const struct ptx_operand *to = &i->operand[0];
        if (!ptx_written(i)) continue;
        for (unsigned n = 0; to->kind == PTX_VECTOR && n < to->count; n++)
            if (to->elements[n].kind == PTX_REGISTER && to->elements[n].reg == sent->reg)
                return to->count == 2 && ptx_traits_of(i)->memory == PTX_MEMORY_NONE ? (int)n : -1;
        if (to->kind != PTX_REGISTER || to->reg != sent->reg) continue;
        if (i->op != PTX_OP_mov) return -1;
        sent = &i->operand[1];
    }
    return -1;
}
/* Returns the index of the word that another shuffle sends, or MOVE_WORDS if there is no room. `word` is a result of
 * word_of(). */
static unsigned next_word(const struct move *move, int word) {
    unsigned k = word < 0 ? MOVE_OWN_WORD : (unsigned)word;
    while (k < MOVE_WORDS && move->sent_mask >> k & 1) k += word < 0 ? 1 : 2;
    return k < MOVE_WORDS ? k : MOVE_WORDS;
}
static void send(struct move *move, unsigned word, uint32_t value) {
    move->sent[word] = value, move->sent_mask |= 1u << word;
}
/* Adds a word to the move that records the lane's exchange. */
static void exchange(struct moves_probe *p, const struct ptx_insn *i, unsigned warp, unsigned l, int from) {
    struct lane_state *lane = &p->warp[warp].lane[l];
    if (lane->exchange == UINT_MAX) return;
    struct move *move = &p->list->item[lane->exchange];
    const unsigned word = next_word(move, from);
    if (word == MOVE_WORDS) return;
    send(move, word, lane->offered);
    if (lane->before != UINT_MAX) send(&p->list->item[lane->before], word, lane->offered);
    if (i->operand[0].kind == PTX_REGISTER)
        expect(p, (struct pending){.what = RECEIVED_WORD,
                                   .move = lane->exchange,
                                   .warp = warp,
                                   .lane = l,
                                   .reg = i->operand[0].reg,
                                   .word = word});
}
/* Handles a shuffle of a value's next word, after those that exchanged the words before it. */
static void shuffle_more(struct moves_probe *p, const struct sim_sync *e) {
    const struct ptx_insn *i = e->where->launch->code[e->pc];
    const int word = word_of(e->where->launch, e->pc);
    EACH_LANE (l, e->mask) exchange(p, i, e->where->warp, l, word);
}
static void shuffle(struct moves_probe *p, const struct sim_sync *e) {
    const struct ptx_insn *i = e->where->launch->code[e->pc];
    const int word = word_of(e->where->launch, e->pc);
    const unsigned line = finding_site(e->where, e->pc, e->mask).line, w = e->where->warp;
    EACH_LANE (l, e->mask) {
        struct lane_state *lane = &p->warp[w].lane[l];
        lane->before = lane->exchange = UINT_MAX;
        if (lane->reads) {
            struct move *had = add_move(p, w, l, lane->line);
            take_reads(lane, had);
            if (had) lane->before = (unsigned)(had - p->list->item);
        }
        struct move *move = add_move(p, w, l, line);
        if (!move) continue;
        lane->exchange = (unsigned)(move - p->list->item);
        move->from = (int32_t)(w * SIM_WARP + lane->from);
        exchange(p, i, w, l, word);
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------ */

static void sync(void *self, const struct sim_sync *e) {
    struct moves_probe *p = self;
    if (!observed(p, e->where)) return;
    struct warp_state *w = &p->warp[e->where->warp];
    if (e->kind == SIM_SHUFFLE && probe_same_exchange(&p->exchanges, e->where->launch, w->shuffle_pc, e->pc)) {
        shuffle_more(p, e);
        return;
    }
    w->shuffle_pc = e->kind == SIM_SHUFFLE ? e->pc : UINT32_MAX;
    if (e->kind == SIM_SHUFFLE) shuffle(p, e);
    close_reads(p, e->where->warp);
    w->sync++;
}
static void close_interval(struct moves_probe *p) {
    for (unsigned w = 0; w < SIM_MAX_WARPS; w++) {
        close_reads(p, w);
        p->warp[w].sync = 0, p->warp[w].shuffle_pc = UINT32_MAX;
    }
}
static void barrier(void *self, const struct sim_barrier *e) {
    struct moves_probe *p = self;
    if (!observed(p, e->where) || !e->whole_block) return;
    close_interval(p);
    p->barriers++;
}
static void cluster(void *self, const struct sim_cluster_event *e) {
    struct moves_probe *p = self;
    const uint32_t observed = p->m->observed_block, of_it = cluster_number(e->where->launch, observed);
    if (e->kind != SIM_CLUSTER_COMPLETE || !p->watching || p->done ||
        cluster_number(e->where->launch, e->where->block) != of_it)
        return;
    close_interval(p);
    p->barriers++;
}
static void block_end(void *self, const struct sim_block_event *e) {
    struct moves_probe *p = self;
    if (!observed(p, e->where)) return;
    close_interval(p);
    p->done = true;
}
static void finish(void *self, struct measurement *m) {
    struct moves_probe *p = self;
    (void)m;
    free(p->exchanges.begin);
    free(p);
}

enum {
    MAX_THREAD = SIM_MAX_WARPS * SIM_WARP,
    MAX_TOUCHED = 64 /* maximum number of bytes of a place */
};
#define PLACE(member)                                                                                                  \
    SHORTS(struct move, member.array, MOVE_ARRAYS - 1), SHORTS(struct move, member.bytes, MAX_TOUCHED),                \
        NUMBERS(struct move, member.offset), BOOLS(struct move, member.valued), ANY_NUMBERS(struct move, member.value)
static const struct field move_fields[] = {
    WORDS(struct move, barrier, INT32_MAX),
    WORDS(struct move, sync, INT32_MAX),
    WORDS(struct move, thread, MAX_THREAD - 1),
    WORDS(struct move, line, INT32_MAX),
    WORDS(struct move, from, UINT32_MAX),
    WORDS(struct move, reads, MOVE_READS),
    PLACE(read[0]),
    PLACE(read[1]),
    PLACE(read[2]),
    PLACE(read[3]),
    PLACE(write),
    BOOLS(struct move, writes),
    WORDS(struct move, sent, UINT32_MAX),
    WORDS(struct move, received, UINT32_MAX),
    WORDS(struct move, sent_mask, (1 << MOVE_WORDS) - 1),
    WORDS(struct move, received_mask, (1 << MOVE_WORDS) - 1),
    END_OF_FIELDS,
};
#define ARRAY(k)                                                                                                       \
    TEXT(struct moves, array[k].name), WORDS(struct moves, array[k].space, PTX_REG),                                   \
        NUMBERS(struct moves, array[k].size)
static const struct field fields[] = {
    WORDS(struct moves, arrays, MOVE_ARRAYS),
    ARRAY(0),
    ARRAY(1),
    ARRAY(2),
    ARRAY(3),
    ARRAY(4),
    ARRAY(5),
    ARRAY(6),
    ARRAY(7),
    ARRAY(8),
    ARRAY(9),
    ARRAY(10),
    ARRAY(11),
    ARRAY(12),
    ARRAY(13),
    ARRAY(14),
    ARRAY(15),
    LIST(struct moves, item, count, MAX_MOVES, move_fields),
    END_OF_FIELDS,
};
/* Checks that the arrays and source threads of all moves exist. */
static bool valid(const void *result) {
    const struct moves *list = result;
    for (unsigned k = 0; k < list->count; k++) {
        const struct move *move = &list->item[k];
        bool good = move->from >= -1 && move->from < MAX_THREAD;
        for (unsigned n = 0; n < move->reads; n++) good &= move->read[n].bytes && move->read[n].array < list->arrays;
        if (!good || (move->writes && move->write.array >= list->arrays)) return false;
    }
    return true;
}

static const struct sim_probe callbacks = {.name = "moves",
                                           .launch_begin = launch_begin,
                                           .block_end = block_end,
                                           .access = access,
                                           .sync = sync,
                                           .barrier = barrier,
                                           .cluster = cluster,
                                           .watch = watch};
const struct probe_row probe_moves = {
    .name = "moves",
    .question = "which values does each thread read, combine and write?",
    .part_of = MEASURE_MOVES,
    .callbacks = &callbacks,
    .create = create,
    .finish = finish,
    .bytes = sizeof(struct moves),
    .fields = fields,
    .valid = valid,
};
