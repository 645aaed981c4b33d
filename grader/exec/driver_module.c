/* Modules, libraries, the linker, functions and launches. Device code must contain PTX. */
#include "exec/driver.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_IMAGES = 256 };
#define LINKED_MAGIC UINT32_C(0x6b6e696c) /* first word of the images that this library's cuLinkComplete() returns */

struct images {
    uint32_t magic;
    unsigned count;
    size_t bytes[MAX_IMAGES];
    void *image[MAX_IMAGES];
};
struct CUmod_st {
    uint64_t number;
    struct driver_function *functions;
};
struct CUlib_st {
    struct CUmod_st module;
};
struct CUlinkState_st {
    struct images images;
};

/* ---- images ---------------------------------------------------------------------------------- */
static const char machine_code[] =
    "The image is machine code (a cubin), which the simulator cannot run: load PTX, or a fat binary with PTX.";
/* Writes `why` to the log buffers that the program provides for the driver's compiler. */
static void write_logs(unsigned count, const CUjit_option *option, void **value, const char *why) {
    for (unsigned k = 0; k < count; k++) {
        char *log = value[k];
        if ((option[k] != CU_JIT_ERROR_LOG_BUFFER && option[k] != CU_JIT_INFO_LOG_BUFFER) || !log) continue;
        const CUjit_option size = option[k] == CU_JIT_ERROR_LOG_BUFFER ? CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
                                                                       : CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES;
        for (unsigned n = 0; n < count; n++)
            if (option[n] == size && value[n])
                snprintf(log, (size_t)(uintptr_t)value[n], "%s", option[k] == CU_JIT_ERROR_LOG_BUFFER ? why : "");
    }
}
struct options {
    unsigned count;
    CUjit_option *option;
    void **value;
};
static CUresult load_images(const char *call, const struct images *all, struct options o, struct CUmod_st *m) {
    size_t total = 0, at = 0;
    for (unsigned k = 0; k < all->count; k++) total += all->bytes[k];
    char why[512] = "", *joined = malloc(total + 1);
    if (!joined) return driver_refuse(call, CUDA_ERROR_OUT_OF_MEMORY, NULL);
    for (unsigned k = 0; k < all->count; at += all->bytes[k++]) memcpy(joined + at, all->image[k], all->bytes[k]);
    struct ask q = {.call = call,
                    .op = EXEC_MODULE,
                    .a = {1},
                    .payload = joined,
                    .bytes = total,
                    .to = why,
                    .room = sizeof why - 1};
    const CUresult error = driver_result(cudart_ask(&q));
    free(joined);
    write_logs(o.count, o.option, o.value, why);
    m->number = q.answer[0];
    return error ? CUDA_ERROR_INVALID_PTX : CUDA_SUCCESS;
}
static CUresult load(const char *call, const void *image, struct options o, struct CUmod_st *m) {
    DRIVER_NEEDS(call, image);
    uint32_t magic;
    memcpy(&magic, image, sizeof magic);
    if (magic == LINKED_MAGIC) return load_images(call, image, o, m);
    struct images one = {.count = 1, .bytes = {cudart_image_bytes(&image)}};
    one.image[0] = (void *)(uintptr_t)image;
    return one.bytes[0] ? load_images(call, &one, o, m) : driver_refuse(call, CUDA_ERROR_INVALID_IMAGE, machine_code);
}
static CUresult load_file(const char *call, const char *path, struct CUmod_st *m) {
    size_t bytes;
    char *text = cudart_file_text(path, &bytes);
    const CUresult error =
        text ? load(call, text, (struct options){0}, m)
             : driver_refuse(call, CUDA_ERROR_FILE_NOT_FOUND,
                             "The module's file cannot be read. In the sandbox, a program can "
                             "read only its own folder, the working folder, and the folders of --write.");
    free(text);
    return error;
}
/* Creates a module from an image or, if `path` is not NULL, from a file. Stores the handle of the module or library at
 * `to`. */
static CUresult make(const char *call, const void *image, const char *path, struct options o, void *to) {
    DRIVER_NEEDS(call, to);
    struct CUmod_st *m = calloc(1, sizeof *m);
    DRIVER_NEEDS(call, m);
    const CUresult error = path ? load_file(call, path, m) : load(call, image, o, m);
    if (error)
        free(m);
    else
        memcpy(to, &m, sizeof m);
    return error;
}

/* ---- modules --------------------------------------------------------------------------------- */
static CUresult new_module(const char *call, const void *image, struct options o, CUmodule *module) {
    DRIVER_ENTER(call);
    return make(call, image, NULL, o, module);
}
CUresult cuModuleLoadData(CUmodule *module, const void *image) {
    return new_module("cuModuleLoadData", image, (struct options){0}, module);
}
CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned count, CUjit_option *option, void **value) {
    return new_module("cuModuleLoadDataEx", image, (struct options){count, option, value}, module);
}
CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image) {
    return new_module("cuModuleLoadFatBinary", image, (struct options){0}, module);
}
CUresult cuModuleLoad(CUmodule *module, const char *path) {
    DRIVER_ENTER("cuModuleLoad");
    return make("cuModuleLoad", NULL, path, (struct options){0}, module);
}
static void forget(struct CUmod_st *m) {
    for (struct driver_function *f = m->functions, *next; f; f = next) next = f->next, free(f);
    free(m);
}
CUresult cuModuleUnload(CUmodule module) {
    DRIVER_ENTER("cuModuleUnload");
    DRIVER_NEEDS("cuModuleUnload", module);
    forget(module);
    return CUDA_SUCCESS;
}
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
    *mode = CU_MODULE_EAGER_LOADING;
    return CUDA_SUCCESS;
}
static CUresult find_function(const char *call, struct driver_function **function, struct CUmod_st *m,
                              const char *name) {
    DRIVER_ENTER(call);
    DRIVER_NEEDS(call, function && m && name);
    struct driver_function *f = m->functions;
    while (f && strcmp(f->name, name) != 0) f = f->next;
    *function = f;
    if (f) return CUDA_SUCCESS;
    if (!(f = calloc(1, sizeof *f + strlen(name) + 1))) return driver_refuse(call, CUDA_ERROR_OUT_OF_MEMORY, NULL);
    struct ask q = {.call = call,
                    .op = EXEC_KERNEL,
                    .a = {m->number},
                    .payload = name,
                    .bytes = strlen(name),
                    .to = &f->kernel,
                    .room = sizeof f->kernel};
    if (cudart_ask(&q)) {
        free(f);
        return driver_refuse(
            call, CUDA_ERROR_NOT_FOUND,
            "The module has no kernel of this name. C++ mangles names, unless a kernel is declared extern \"C\".");
    }
    f->module = m, f->next = m->functions, m->functions = f;
    strcpy(f->name, name);
    *function = f;
    return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
    return find_function("cuModuleGetFunction", (struct driver_function **)function, module, name);
}
CUresult cuModuleGetFunctionCount(unsigned *count, CUmodule module) {
    static const char call[] = "cuModuleGetFunctionCount";
    DRIVER_ENTER(call);
    DRIVER_NEEDS(call, count && module);
    struct ask q = {.call = call, .op = EXEC_NAMES, .a = {module->number}};
    const CUresult error = (CUresult)cudart_ask(&q);
    *count = (unsigned)q.answer[0];
    return error;
}
static CUresult find_variable(const char *call, CUdeviceptr *address, size_t *bytes, struct CUmod_st *m,
                              const char *name) {
    DRIVER_ENTER(call);
    DRIVER_NEEDS(call, m && name);
    struct ask q = {.call = call, .op = EXEC_VARIABLE, .a = {m->number, 0}, .payload = name, .bytes = strlen(name)};
    if (cudart_ask(&q)) return driver_refuse(call, CUDA_ERROR_NOT_FOUND, "The module has no variable of this name.");
    if (address) *address = q.answer[0];
    if (bytes) *bytes = q.answer[1];
    return CUDA_SUCCESS;
}
CUresult cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name) {
    return find_variable("cuModuleGetGlobal", address, bytes, module, name);
}

/* ---- libraries: modules without a context ---------------------------------------------------- */
CUresult cuLibraryLoadData(CUlibrary *library, const void *image, CUjit_option *option, void **value, unsigned count,
                           CUlibraryOption *more, void **of_more, unsigned mores) {
    return make("cuLibraryLoadData", image, NULL, (struct options){count, option, value}, library);
}
CUresult cuLibraryLoadFromFile(CUlibrary *library, const char *path, CUjit_option *option, void **value, unsigned count,
                               CUlibraryOption *more, void **of_more, unsigned mores) {
    return make("cuLibraryLoadFromFile", NULL, path, (struct options){0}, library);
}
CUresult cuLibraryUnload(CUlibrary library) {
    DRIVER_NEEDS("cuLibraryUnload", library);
    forget(&library->module);
    return CUDA_SUCCESS;
}
CUresult cuLibraryGetKernel(CUkernel *kernel, CUlibrary library, const char *name) {
    return find_function("cuLibraryGetKernel", (struct driver_function **)kernel, &library->module, name);
}
CUresult cuLibraryGetModule(CUmodule *module, CUlibrary library) {
    *module = &library->module;
    return CUDA_SUCCESS;
}
CUresult cuLibraryGetGlobal(CUdeviceptr *address, size_t *bytes, CUlibrary library, const char *name) {
    return find_variable("cuLibraryGetGlobal", address, bytes, &library->module, name);
}
CUresult cuKernelGetFunction(CUfunction *function, CUkernel kernel) {
    *function = (CUfunction)kernel;
    return CUDA_SUCCESS;
}

/* ---- the linker: joins PTX ------------------------------------------------------------------- */
CUresult cuLinkCreate(unsigned count, CUjit_option *option, void **value, CUlinkState *state) {
    DRIVER_ENTER("cuLinkCreate");
    DRIVER_NEEDS("cuLinkCreate", state);
    *state = calloc(1, sizeof **state);
    if (!*state) return driver_refuse("cuLinkCreate", CUDA_ERROR_OUT_OF_MEMORY, NULL);
    (*state)->images.magic = LINKED_MAGIC;
    return CUDA_SUCCESS;
}
static CUresult link_image(const char *call, CUlinkState state, CUjitInputType type, const void *data, size_t bytes) {
    struct images *all = &state->images;
    if (type != CU_JIT_INPUT_PTX && type != CU_JIT_INPUT_FATBINARY)
        return driver_refuse(call, CUDA_ERROR_NOT_SUPPORTED, "The simulator links PTX and fat binaries only.");
    DRIVER_NEEDS(call, data && all->count < MAX_IMAGES);
    const size_t room = bytes + 1;
    char *copy = malloc(room);
    if (!copy) return driver_refuse(call, CUDA_ERROR_OUT_OF_MEMORY, NULL);
    memcpy(copy, data, bytes), copy[bytes] = 0;
    all->image[all->count] = copy, all->bytes[all->count++] = type == CU_JIT_INPUT_PTX ? strlen(copy) + 1 : bytes;
    return CUDA_SUCCESS;
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name,
                       unsigned count, CUjit_option *option, void **value) {
    return link_image("cuLinkAddData", state, type, data, bytes);
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned count, CUjit_option *option,
                       void **value) {
    static const char call[] = "cuLinkAddFile";
    size_t bytes;
    char *text = cudart_file_text(path, &bytes);
    const CUresult error =
        text ? link_image(call, state, type, text, bytes) : driver_refuse(call, CUDA_ERROR_FILE_NOT_FOUND, NULL);
    free(text);
    return error;
}
CUresult cuLinkComplete(CUlinkState state, void **image, size_t *bytes) {
    *image = &state->images;
    if (bytes) *bytes = sizeof state->images;
    return CUDA_SUCCESS;
}
CUresult cuLinkDestroy(CUlinkState state) {
    for (unsigned k = 0; k < state->images.count; k++) free(state->images.image[k]);
    free(state);
    return CUDA_SUCCESS;
}

/* ---- functions ------------------------------------------------------------------------------- */
CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function) {
    DRIVER_ENTER("cuFuncGetAttribute");
    const struct driver_function *f = (const struct driver_function *)function;
    DRIVER_NEEDS("cuFuncGetAttribute", f && value);
    const struct exec_kernel *k = &f->kernel;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: *value = (int)k->most_threads; break;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: *value = (int)k->shared; break;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: *value = (int)k->constant; break;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: *value = (int)k->local; break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS: *value = (int)k->registers; break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION: *value = (int)k->ptx; break;
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION: *value = (int)k->version; break;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: *value = (int)k->dynamic; break;
    default: *value = 0; break;
    }
    return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
    DRIVER_ENTER("cuFuncSetAttribute");
    struct driver_function *f = (struct driver_function *)function;
    DRIVER_NEEDS("cuFuncSetAttribute", f);
    enum exec_limit limit = EXEC_DYNAMIC;
    switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: break;
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED: limit = EXEC_CLUSTER; break;
    default: return CUDA_SUCCESS;
    }
    return driver_result(cudart_limit("cuFuncSetAttribute", &f->kernel, limit, value));
}
CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
    return cuFuncSetAttribute((CUfunction)kernel, attribute, value);
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache c) { return CUDA_SUCCESS; }
CUresult cuFuncGetModule(CUmodule *module, CUfunction function) {
    *module = ((const struct driver_function *)function)->module;
    return CUDA_SUCCESS;
}
CUresult cuFuncGetName(const char **name, CUfunction function) {
    *name = ((const struct driver_function *)function)->name;
    return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads, size_t dynamic) {
    DRIVER_ENTER("cuOccupancyMaxActiveBlocksPerMultiprocessor");
    const struct driver_function *f = (const struct driver_function *)function;
    *blocks = threads > 0 ? (int)cudart_resident(&f->kernel, (size_t)threads, dynamic) : 0;
    return CUDA_SUCCESS;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int threads,
                                                              size_t dynamic, unsigned flags) {
    return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic);
}
/* Finds the block size with the most resident threads. Among equally good sizes, selects the largest. */
CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function, CUoccupancyB2DSize shared,
                                          size_t dynamic, int limit) {
    DRIVER_ENTER("cuOccupancyMaxPotentialBlockSize");
    const struct driver_function *f = (const struct driver_function *)function;
    size_t best = 0;
    for (size_t threads = f->kernel.most_threads / 32 * 32; threads; threads -= 32) {
        if (limit && threads > (size_t)limit) continue;
        const size_t each = cudart_resident(&f->kernel, threads, shared ? shared((int)threads) : dynamic);
        if (each * threads <= best) continue;
        best = each * threads;
        *block = (int)threads, *grid = (int)(each * cudart_device()->sms);
    }
    return CUDA_SUCCESS;
}

/* ---- launches -------------------------------------------------------------------------------- */
/* Reads parameters that the program passes as a buffer with the layout of the kernel's parameters, instead of as an
 * array of pointers. */
static CUresult parameters_of(const char *call, const struct exec_kernel *k, void **extra, void **to) {
    const char *buffer = NULL;
    for (unsigned n = 0; extra[n] != CU_LAUNCH_PARAM_END; n += 2)
        if (extra[n] == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = extra[n + 1];
    if (!buffer && k->parameters) return driver_refuse(call, CUDA_ERROR_INVALID_VALUE, NULL);
    for (uint32_t p = 0; p < k->parameters; p++) to[p] = (void *)(uintptr_t)(buffer + k->offset[p]);
    return CUDA_SUCCESS;
}
static CUresult launch(struct cudart_launch *l, CUfunction function, void **extra) {
    void *arguments[EXEC_PARAMETERS];
    DRIVER_ENTER(l->call);
    const struct driver_function *f = (const struct driver_function *)function;
    DRIVER_NEEDS(l->call, f);
    l->kernel = &f->kernel;
    if (!l->arguments && extra) {
        const CUresult error = parameters_of(l->call, l->kernel, extra, arguments);
        if (error) return error;
        l->arguments = arguments;
    }
    if (!l->arguments && l->kernel->parameters)
        return driver_refuse(l->call, CUDA_ERROR_INVALID_VALUE, "The kernel has parameters, but none were passed.");
    return driver_result(cudart_launch(l));
}
CUresult cuLaunchKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                        unsigned bz, unsigned shared, CUstream stream, void **arguments, void **extra) {
    return launch(&(struct cudart_launch){.call = "cuLaunchKernel",
                                          .grid = {gx, gy, gz},
                                          .block = {bx, by, bz},
                                          .arguments = arguments,
                                          .shared = shared,
                                          .stream = stream},
                  function, extra);
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                                   unsigned bz, unsigned shared, CUstream stream, void **arguments) {
    return launch(&(struct cudart_launch){.call = "cuLaunchCooperativeKernel",
                                          .grid = {gx, gy, gz},
                                          .block = {bx, by, bz},
                                          .arguments = arguments,
                                          .shared = shared,
                                          .stream = stream,
                                          .cooperative = true},
                  function, NULL);
}
CUresult cuLaunchKernelEx(const CUlaunchConfig *c, CUfunction function, void **arguments, void **extra) {
    struct cudart_launch l = {.call = "cuLaunchKernelEx",
                              .grid = {c->gridDimX, c->gridDimY, c->gridDimZ},
                              .block = {c->blockDimX, c->blockDimY, c->blockDimZ},
                              .arguments = arguments,
                              .shared = c->sharedMemBytes,
                              .stream = c->hStream};
    for (unsigned k = 0; k < c->numAttrs; k++) /* the two APIs have the same attributes */
        cudart_launch_attribute(&l, (cudaLaunchAttributeID)c->attrs[k].id,
                                (const cudaLaunchAttributeValue *)&c->attrs[k].value);
    return launch(&l, function, extra);
}
