/* Tensor maps in memory: tensormap.replace, which changes a field of a map, and the copy of a changed map to global
 * memory. */
#include "sim/tile.h"
#include "sim/report.h"
#include <string.h>

enum { PIECE = 8, MAP_ALIGN = 64 };

uint8_t *sim_map_bytes(struct sim_warp *w, const struct sim_insn *i, uint32_t l, struct sim_memory *m, uint64_t address,
                       bool writes) {
    const uint64_t offset = m ? address - m->object.address : 0;
    uint8_t *at = NULL;
    if (m && offset + SIM_TENSOR_MAP <= m->object.size && address % MAP_ALIGN == 0)
        at = sim_at(w->block->run->sim, m, offset, writes);
    if (!at)
        sim_misuse(
            w, i, 1u << l,
            "used a tensor map whose address is not aligned to 64 bytes, or that extends beyond the end of its buffer");
    return at;
}
bool sim_map_read(struct sim_warp *w, const struct sim_insn *i, uint32_t l, const uint8_t *at,
                  struct sim_tensor_map *map) {
    memcpy(map, at, sizeof *map);
    if (map->magic == SIM_TENSOR_MAGIC) return true;
    sim_misuse(w, i, 1u << l, "used a tensor map that cuTensorMapEncodeTiled() did not write");
    map->magic = 0;
    return false;
}

/* Returns a pointer to the tensor map at a lane's address, and reports the access. Reports a fault and returns NULL if
 * there is no map. */
static uint8_t *map_at(struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t row, uint32_t l,
                       enum ptx_space space, enum sim_access_kind kind) {
    uint64_t offset[SIM_WARP] = {0};
    const uint64_t address = sim_address_of(w, i, k, row, l, space);
    struct sim_memory *m = sim_locate(w, i, l, address, PIECE, kind, &offset[l]);
    uint8_t *at = m ? sim_map_bytes(w, i, l, m, address, kind == SIM_STORE) : NULL;
    for (unsigned done = 0; at && done < SIM_TENSOR_MAP; done += PIECE, offset[l] += PIECE)
        sim_report_access(w, &(struct sim_report){.pc = sim_pc(w, i),
                                                  .mask = 1u << l,
                                                  .kind = kind,
                                                  .object = &m->object,
                                                  .bytes = PIECE,
                                                  .offset = offset});
    return at;
}
/* Sets the element type: turns its number in tensormap.replace (PTX ISA) into that of the driver's enum. Returns false
 * if the type is unknown. */
static bool element_type(uint64_t value, struct sim_tensor_map *m) {
    static const uint8_t types[] = {0, 1, 2, 3, 4, 5, 6, 7, 10, 8, 9};
    if (value >= sizeof types) return false;
    return m->type = types[value], m->stride[0] = sim_element_bytes(types[value]), true;
}
/* Sets a field of the map. Returns false if the simulator does not support the value. */
static bool set_field(struct sim_tensor_map *m, enum ptx_mod field, unsigned ord, uint64_t value) {
    switch (field) {
    case PTX_MOD_GLOBAL_ADDRESS: return m->address = value, value % SIM_TILE_GRAIN == 0;
    case PTX_MOD_RANK: return m->rank = (uint8_t)(value + 1), value < SIM_TENSOR_RANK;
    case PTX_MOD_BOX_DIM: return m->box[ord] = (uint16_t)value, value && value <= 256;
    case PTX_MOD_GLOBAL_DIM: return m->size[ord] = value, value != 0;
    case PTX_MOD_GLOBAL_STRIDE: return m->stride[ord + 1] = value, value % SIM_TILE_GRAIN == 0;
    case PTX_MOD_ELEMENT_STRIDE: return m->step[ord] = (uint8_t)value, value && value <= 8;
    case PTX_MOD_ELEMTYPE: return element_type(value, m);
    case PTX_MOD_SWIZZLE_MODE: return m->swizzle = (uint8_t)value, value <= 3;
    default: return value == 0; /* .interleave_layout, .fill_mode */
    }
}
static void exec_replace(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const struct ptx_insn *p = i->source;
    const bool indexed = p->count == 3;
    const struct ptx_operand *o = &p->operand[p->count - 1];
    const unsigned bits = ptx_type_bits(p->type);
    SIM_EACH_LANE (l, mask) {
        struct sim_tensor_map m;
        uint8_t *at = map_at(w, i, 0, i->d, l, p->space, SIM_STORE);
        if (!at || !sim_map_read(w, i, l, at, &m)) continue;
        const uint64_t value = o->kind == PTX_IMMEDIATE ? o->imm : sim_value_of(w, indexed ? i->b : i->a, bits, l);
        if (!set_field(&m, ptx_mod_of(p, PTX_CLASS_MODE), indexed ? (unsigned)p->operand[1].imm : 0, value))
            sim_misuse(w, i, 1u << l, "set a field of a tensor map to a value that is not supported");
        else
            memcpy(at, &m, sizeof m);
    }
    w->block->run->changes++;
}
/* Copies one map for the whole warp. */
static void exec_copy(struct sim_warp *w, const struct sim_insn *i, uint32_t mask) {
    const uint32_t l = (uint32_t)__builtin_ctz(mask);
    const uint8_t *from = map_at(w, i, 1, i->a, l, PTX_SHARED, SIM_LOAD);
    uint8_t *to = from ? map_at(w, i, 0, i->d, l, PTX_GLOBAL, SIM_STORE) : NULL;
    if (to) memcpy(to, from, SIM_TENSOR_MAP);
    w->block->run->changes++;
}
void sim_form_map_replace(struct sim_insn *i) { i->exec = exec_replace; }
void sim_form_map_copy(struct sim_insn *i) { i->exec = exec_copy; }
