/* Determines whether the program uses the result of a call, from the machine code after the call. The result is in eax.
 * It is unused if the code overwrites eax or makes another call before it uses eax. If the code is unknown, assumes a
 * use, so that no error is wrongly reported as unchecked. */
#include "exec/cudart.h"
#include <stdint.h>

enum seen { SEEN, UNSEEN, RETURNED, NEXT };
enum { MAX_INSTRUCTIONS = 24, RAX = 0 };
#ifdef __x86_64__
struct insn {
    const uint8_t *next;
    unsigned op, reg, rm; /* op: opcode, or 0x0f00 + second byte of the opcode; reg, rm: registers 0 to 15 */
    bool direct;          /* whether rm is a register instead of a memory operand */
    int64_t immediate;
};
/* Returns the bytes of an instruction's immediate operands, or -1 if the instruction is unknown. */
static int immediate_bytes(unsigned op, bool wide) {
    switch (op) {
    case 0x6b:
    case 0x80:
    case 0x83:
    case 0xc0:
    case 0xc1:
    case 0xc6:
    case 0xeb: return 1;
    case 0x69:
    case 0x81:
    case 0xc7:
    case 0x3d:
    case 0xe8:
    case 0xe9: return 4;
    case 0x0fb6:
    case 0x0fb7:
    case 0x0fbe:
    case 0x0fbf:
    case 0x0f10:
    case 0x0f11:
    case 0x0f28:
    case 0x0f29:
    case 0x0f2a:
    case 0x0f1e:
    case 0x0f1f:
    case 0x0f6f:
    case 0x0f7f:
    case 0x0fef:
    case 0x0f57: return 0;
    default: break;
    }
    if (op >= 0xb8 && op <= 0xbf) return wide ? 8 : 4;
    if ((op >= 0x70 && op <= 0x7f)) return 1;
    if (op >= 0x0f80 && op <= 0x0f8f) return 4;
    if (op >= 0x0f40 && op <= 0x0f4f) return 0;
    if (op < 0x40 && (op & 7) < 4) return 0; /* add, or, and, sub, xor or cmp of register and memory */
    if ((op >= 0x50 && op <= 0x5f) || op == 0x63 || (op >= 0x84 && op <= 0x8b) || op == 0x8d || op == 0x90 ||
        op == 0x98 || op == 0x99 || op == 0xc3 || op == 0xc9 || op == 0xff || op == 0xf7)
        return 0;
    return -1;
}
static bool has_modrm(unsigned op) {
    return op >= 0x0f00
               ? op < 0x0f80 || op > 0x0f8f
               : (op < 0x40 && (op & 7) < 4) || op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op <= 0x8d) ||
                     op == 0xc0 || op == 0xc1 || op == 0xc6 || op == 0xc7 || op == 0xff || op == 0xf7;
}
static bool read_insn(const uint8_t *p, struct insn *i) {
    unsigned rex = 0;
    while (*p == 0x66 || *p == 0xf2 || *p == 0xf3) p++;
    if ((*p & 0xf0) == 0x40) rex = *p++;
    *i = (struct insn){.op = *p++};
    if (i->op == 0x0f) i->op = 0x0f00u + *p++;
    const int bytes = immediate_bytes(i->op, rex & 8);
    if (bytes < 0) return false;
    i->reg = i->op & 7;
    if (has_modrm(i->op)) {
        const uint8_t m = *p++;
        i->direct = m >> 6 == 3, i->reg = (m >> 3 & 7) | (rex & 4) << 1, i->rm = (m & 7) | (rex & 1) << 3;
        const uint8_t base = !i->direct && (m & 7) == 4 ? *p++ & 7 : m & 7;
        p += m >> 6 == 1 ? 1 : m >> 6 == 2 || (m >> 6 == 0 && base == 5) ? 4 : 0;
    } else
        i->rm = (i->op & 7) | (rex & 1) << 3;
    for (int k = 0; k < bytes && k < 4; k++) i->immediate |= (int64_t)p[k] << 8 * k;
    i->immediate = bytes == 1 ? (int8_t)i->immediate : (int32_t)i->immediate;
    i->next = p + bytes;
    return true;
}
static enum seen judge(const struct insn *i) {
    const bool reads_rm = i->direct && i->rm == RAX, reg = i->reg == RAX;
    switch (i->op) {
    case 0xc3: return RETURNED;
    case 0xe8: return UNSEEN;
    case 0xff: return i->reg == 2 || i->reg == 4 ? UNSEEN : reads_rm ? SEEN : NEXT;
    case 0x31:
    case 0x33:
        /* The xor of a register with itself sets it to 0. */
        return reg && reads_rm ? UNSEEN : reg || reads_rm ? SEEN : NEXT;
    case 0x88:
    case 0x89: return reg ? SEEN : reads_rm ? UNSEEN : NEXT;
    case 0x63:
    case 0x8a:
    case 0x8b:
    case 0x0fb6:
    case 0x0fb7: return reads_rm ? SEEN : reg ? UNSEEN : NEXT;
    case 0x8d: return reg ? UNSEEN : NEXT;
    case 0x98:
    case 0x99:
    case 0x3d: return SEEN;
    case 0xc7: return reads_rm ? UNSEEN : NEXT;
    case 0x80:
    case 0x81:
    case 0x83: return reads_rm ? SEEN : NEXT;
    default: break;
    }
    if (i->op >= 0xb8 && i->op <= 0xbf) return i->rm == RAX ? UNSEEN : NEXT;
    if (i->op >= 0x50 && i->op <= 0x5f) return i->rm != RAX ? NEXT : i->op < 0x58 ? SEEN : UNSEEN;
    if (i->op >= 0x70 && i->op <= 0x7f) return SEEN; /* a conditional jump tests the result */
    if (i->op >= 0x0f80 && i->op <= 0x0f8f) return SEEN;
    return i->op < 0x40 || i->op == 0x84 || i->op == 0x85 || (i->op >= 0x0f40 && i->op <= 0x0f4f)
               ? (reg || reads_rm ? SEEN : NEXT)
               : NEXT;
}
static enum seen look(const uint8_t *p) {
    for (unsigned k = 0; k < MAX_INSTRUCTIONS; k++) {
        struct insn i;
        if (!read_insn(p, &i)) return SEEN;
        const bool jumps = i.op == 0xeb || i.op == 0xe9;
        const enum seen s = jumps ? NEXT : judge(&i);
        if (s != NEXT) return s;
        p = i.next + (jumps ? i.immediate : 0);
    }
    return SEEN;
}
bool cudart_seen(const uint64_t *back, unsigned frames) {
    for (unsigned k = 0; k < frames; k++) {
        const enum seen s = look((const uint8_t *)back[k]);
        if (s != RETURNED) return s == SEEN; /* if the function returns the result, look at its caller */
    }
    return true;
}
#else
bool cudart_seen(const uint64_t *back, unsigned frames) { return true; }
#endif
