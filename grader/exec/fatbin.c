/* Extracts PTX from a fat binary, which nvcc embeds in programs. The format is:
 *
 *   0xba55ed50, version (2 bytes), size of this header (2 bytes), size of the rest (8 bytes)
 *   entries, each a header with kind, architecture and sizes, followed by padded data
 *
 * PTX may be compressed with LZ4 or, since CUDA 12.8, with Zstandard. The decompression library is loaded on demand. */
#include "exec/serve.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FATBIN_MAGIC UINT32_C(0xba55ed50)
enum { KIND_PTX = 1, KIND_ELF = 2, LZ4 = 0x2000, ZSTD = 0x8000, MAX_PTX = 256 << 20 };
struct head {
    uint32_t magic;
    uint16_t version, header;
    uint64_t bytes;
};
struct entry {
    uint16_t kind, version;
    uint32_t header;
    uint64_t payload; /* includes padding */
    uint32_t compressed, unused;
    uint16_t minor, major;
    uint32_t arch, name, name_length;
    uint64_t flags, zero, uncompressed;
};
_Static_assert(sizeof(struct head) == 16 && sizeof(struct entry) == 64, "as nvcc writes them");

/* ---- compression ---------------------------------------------------------------------------- */
static bool by_lz4(const char *from, size_t bytes, char *to, size_t room) {
    void *library = dlopen("liblz4.so.1", RTLD_NOW);
    int (*decompress)(const char *, char *, int, int) = NULL;
    if (library) *(void **)(&decompress) = dlsym(library, "LZ4_decompress_safe");
    return decompress && decompress(from, to, (int)bytes, (int)room) == (int)room;
}
static bool by_zstd(const char *from, size_t bytes, char *to, size_t room) {
    void *library = dlopen("libzstd.so.1", RTLD_NOW);
    size_t (*decompress)(void *, size_t, const void *, size_t) = NULL;
    if (library) *(void **)(&decompress) = dlsym(library, "ZSTD_decompress");
    return decompress && decompress(to, room, from, bytes) == room;
}
static char *expand(const struct entry *e, const char *from, char *why, size_t size) {
    const bool packed = e->flags & (LZ4 | ZSTD);
    const size_t bytes = packed ? e->uncompressed : e->payload;
    char *text = bytes <= MAX_PTX ? malloc(bytes + 1) : NULL;
    if (!text) return snprintf(why, size, "its PTX is too large"), NULL;
    const bool ok = !packed           ? (memcpy(text, from, bytes), true)
                    : e->flags & ZSTD ? by_zstd(from, e->compressed, text, bytes)
                                      : by_lz4(from, e->compressed, text, bytes);
    if (!ok) {
        snprintf(why, size,
                 "its PTX is compressed and could not be unpacked with %s: install that library, or compile with "
                 "`nvcc --no-compress`",
                 e->flags & ZSTD ? "libzstd.so.1" : "liblz4.so.1");
        return free(text), NULL;
    }
    text[bytes] = 0;
    return text;
}

/* ---- the entry ------------------------------------------------------------------------------ */
size_t exec_fatbin_bytes(const char *image, size_t length) {
    struct head head;
    if (length < sizeof head) return 0;
    memcpy(&head, image, sizeof head);
    const uint64_t bytes = head.header + head.bytes;
    return head.magic == FATBIN_MAGIC && bytes >= head.header && bytes <= length ? bytes : 0;
}
char *exec_fatbin_ptx(const char *image, size_t length, unsigned arch, unsigned *chosen, char *why, size_t size) {
    struct head head;
    struct entry best = {0};
    const char *at = NULL;
    unsigned newer = 0;
    bool elf = false;
    if (length < sizeof head) return snprintf(why, size, "its device code cannot be read"), NULL;
    memcpy(&head, image, sizeof head);
    const uint64_t end = head.header + head.bytes;
    if (head.magic != FATBIN_MAGIC || end > length)
        return snprintf(why, size, "the format of its device code is unknown"), NULL;
    for (uint64_t k = head.header; k + sizeof best <= end;) {
        struct entry e;
        memcpy(&e, image + k, sizeof e);
        if (e.header < sizeof e || e.header > end - k || e.payload > end - k - e.header) break;
        if (e.kind == KIND_ELF) elf = true;
        if (e.kind == KIND_PTX && e.arch > arch) newer = e.arch;
        if (e.kind == KIND_PTX && e.arch <= arch && (!at || e.arch > best.arch) && e.compressed <= e.payload)
            best = e, at = image + k + e.header;
        k += e.header + e.payload;
    }
    if (!at && newer)
        snprintf(why, size,
                 "its PTX is for compute capability %u.%u, and the simulator supports at most %u.%u: compile with "
                 "-arch=sm_%u",
                 newer / 10, newer % 10, arch / 10, arch % 10, arch);
    else if (!at)
        snprintf(why, size,
                 "it contains %s: compile with -arch=sm_%u, or with -gencode arch=compute_%u,code=compute_%u",
                 elf ? "only machine code, and no PTX" : "neither PTX nor machine code", arch, arch, arch);
    if (!at) return NULL;
    *chosen = best.arch;
    return expand(&best, at, why, size);
}
