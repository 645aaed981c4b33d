/* Functions for instructions that resolve addresses and report accesses themselves. */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include "sim/machine.h"

/* An access by the lanes in `mask` to one object. */
struct sim_report {
    uint32_t pc, mask, silent;
    enum sim_access_kind kind;
    const struct sim_object *object;
    unsigned bytes;
    bool strong, acquire, release, texture, mbarrier;
    uint64_t phase;     /* see struct sim_access */
    enum ptx_mod scope; /* scope of a strong access; PTX_MOD_NONE for block scope */
    const uint64_t *offset;
    const uint8_t (*before)[SIM_VALUE];
};
void sim_report_access(struct sim_warp *w, const struct sim_report *t);
/* Returns lane `l`'s element of a row with elements of `bits` bits (32 or 64). */
uint64_t sim_value_of(const struct sim_warp *w, uint32_t row, unsigned bits, uint32_t l);
/* Reports SIM_FAULT_MBARRIER for these lanes. */
void sim_misuse(struct sim_warp *w, const struct sim_insn *i, uint32_t lanes, const char *text);
/* Returns lane `l`'s address in operand `k`, which has row `row`, as a generic address. */
uint64_t sim_address_of(const struct sim_warp *w, const struct sim_insn *i, unsigned k, uint32_t row, uint32_t l,
                        enum ptx_space space);
/* Returns the object that contains `bytes` bytes at `address`, and sets *offset to the offset in it. Reports a fault
 * and returns NULL if no object contains them, or if the address is not a multiple of `bytes`. */
struct sim_memory *sim_locate(struct sim_warp *w, const struct sim_insn *i, uint32_t l, uint64_t address,
                              unsigned bytes, enum sim_access_kind kind, uint64_t *offset);
/* Returns a pointer to the tensor map at `address` in object `m`. Reports a misuse and returns NULL if `m` is NULL, if
 * the address is not a multiple of 64, or if the map extends past the object. */
uint8_t *sim_map_bytes(struct sim_warp *w, const struct sim_insn *i, uint32_t l, struct sim_memory *m, uint64_t address,
                       bool writes);
struct sim_tensor_map;
/* Copies a tensor map to *map. Reports a misuse and returns false if cuTensorMapEncodeTiled() did not write it. */
bool sim_map_read(struct sim_warp *w, const struct sim_insn *i, uint32_t l, const uint8_t *at,
                  struct sim_tensor_map *map);

#endif
