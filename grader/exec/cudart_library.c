/* Libraries of kernels that a program loads at run time: PTX, or a fat binary that contains PTX. */
#include "exec/cudart_graph.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FILE = 64 << 20 };
#define FATBIN_MAGIC UINT32_C(0xba55ed50)
#define WRAPPER_MAGIC UINT32_C(0x466243b1) /* nvcc's wrapper, whose third member points to the fat binary */

size_t cudart_image_bytes(const void **image) {
    uint32_t word[2];
    uint64_t bytes;
    memcpy(word, *image, sizeof word[0]);
    if (word[0] == WRAPPER_MAGIC) memcpy(image, (const char *)*image + 8, sizeof *image);
    memcpy(word, *image, sizeof word[0]);
    if (!memcmp(*image, "\177ELF", 4)) return 0;
    if (word[0] != FATBIN_MAGIC) return strlen(*image) + 1; /* PTX is NUL-terminated */
    memcpy(&bytes, (const char *)*image + 8, sizeof bytes);
    memcpy(word, (const char *)*image + 4, sizeof word[0]);
    return (word[0] >> 16) + bytes;
}
char *cudart_file_text(const char *path, size_t *bytes) {
    FILE *f = path ? fopen(path, "rb") : NULL;
    char *text = f ? malloc(MAX_FILE) : NULL;
    *bytes = text ? fread(text, 1, MAX_FILE - 1, f) : 0;
    if (text) text[*bytes] = 0;
    if (f) fclose(f);
    return text;
}

#if CUDART_VERSION >= 12080
struct library {
    uint64_t module; /* also a handle of cudart_register.c */
};
static cudaError_t load(const char *call, cudaLibrary_t *library, const void *image) {
    if (!library || !image) return cudart_invalid(call);
    const size_t bytes = cudart_image_bytes(&image);
    if (!bytes)
        return cudart_refuse(call, cudaErrorInvalidKernelImage,
                             "The image is machine code (a cubin), which the simulator cannot run: load PTX, or a fat "
                             "binary with PTX.");
    struct library *l = cudart_room(1, sizeof *l);
    const cudaError_t error = cudart_module_new(call, &image, &bytes, 1, &l->module);
    *library = (cudaLibrary_t)(void *)l;
    return error;
}
cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *image, enum cudaJitOption *option, void **value,
                                unsigned count, enum cudaLibraryOption *more, void **of_more, unsigned mores) {
    return load("cudaLibraryLoadData", library, image);
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *path, enum cudaJitOption *option, void **value,
                                    unsigned count, enum cudaLibraryOption *more, void **of_more, unsigned mores) {
    static const char call[] = "cudaLibraryLoadFromFile";
    size_t bytes;
    char *text = cudart_file_text(path, &bytes);
    const cudaError_t error = text ? load(call, library, text) : cudart_refuse(call, cudaErrorFileNotFound, NULL);
    free(text);
    return error;
}
cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
    return library ? cudaSuccess : cudart_invalid("cudaLibraryUnload");
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
    static const char call[] = "cudaLibraryGetKernel";
    cudaError_t error;
    if (!kernel || !library || !name) return cudart_invalid(call);
    char *own = strcpy(cudart_room(strlen(name), 1), name); /* its address identifies the kernel */
    cudart_register(((struct library *)(void *)library)->module, own, own, false);
    *kernel = (cudaKernel_t)(void *)own;
    return cudart_kernel(call, own, &error) ? cudaSuccess : error;
}
cudaError_t cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t library, const char *name) {
    static const char call[] = "cudaLibraryGetGlobal";
    uint64_t at, size;
    if (!library || !name) return cudart_invalid(call);
    char *own = strcpy(cudart_room(strlen(name), 1), name);
    cudart_register(((struct library *)(void *)library)->module, own, own, true);
    const cudaError_t error = cudart_symbol(call, own, &at, &size);
    if (!error && address) *address = (void *)at;
    if (!error && bytes) *bytes = size;
    return error;
}
enum { MAX_NAMES = 1 << 20 };
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *kernels, unsigned count, cudaLibrary_t library) {
    static const char call[] = "cudaLibraryEnumerateKernels";
    if (!library || !kernels) return cudart_invalid(call);
    char *names = cudart_room(MAX_NAMES, 1), *at = names;
    struct ask q = {.call = call,
                    .op = EXEC_NAMES,
                    .a = {((struct library *)(void *)library)->module},
                    .to = names,
                    .room = MAX_NAMES};
    cudaError_t error = cudart_ask(&q);
    for (unsigned k = 0; !error && k < count && k < q.answer[0]; k++, at += strlen(at) + 1)
        error = cudaLibraryGetKernel(&kernels[k], library, at);
    free(names);
    return error;
}
cudaError_t cudaLibraryGetKernelCount(unsigned *count, cudaLibrary_t library) {
    if (!library || !count) return cudart_invalid("cudaLibraryGetKernelCount");
    struct ask q = {
        .call = "cudaLibraryGetKernelCount", .op = EXEC_NAMES, .a = {((struct library *)(void *)library)->module}};
    const cudaError_t error = cudart_ask(&q);
    *count = (unsigned)q.answer[0];
    return error;
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute name, int value, int device) {
    return cudaFuncSetAttribute(kernel, name, value);
}
#endif
cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol) {
    cudaError_t error;
    if (!function) return cudart_invalid("cudaGetFuncBySymbol");
    const struct exec_kernel *k = cudart_kernel("cudaGetFuncBySymbol", symbol, &error);
    if (!k) return error;
    const char *name = cudart_kernel_name(symbol);
    struct driver_function *f = cudart_room(1, sizeof *f + strlen(name) + 1);
    f->kernel = *k;
    strcpy(f->name, name);
    *function = (cudaFunction_t)(void *)f;
    return cudaSuccess;
}
#if CUDART_VERSION >= 12010
cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *function) {
    cudaError_t error;
    if (!kernel) return cudart_invalid("cudaGetKernel");
    *kernel = (cudaKernel_t)(uintptr_t)function;
    return cudart_kernel("cudaGetKernel", function, &error) ? cudaSuccess : error;
}
#endif
