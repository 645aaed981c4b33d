/* Launches, and the modules, kernels and variables that nvcc's host code registers before main(). */
#include "exec/cudart_graph.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CONFIGURATIONS = 64, LINKED = 2 /* version of the wrapper of a linked module */ };
struct wrapper { /* data structure of nvcc */
    int magic, version;
    const void *data;
    void *others;
};
struct head {
    uint32_t magic;
    uint16_t version, header;
    uint64_t bytes;
};
struct known { /* a function or variable that host code registered */
    const void *host;
    const char *name;
    uint64_t module;
    bool variable, managed, asked;
    cudaError_t error;
    struct exec_kernel kernel;
    uint64_t address, bytes;
    struct known *next;
};
static struct known *list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- registration ------------------------------------------------------------------------------- */
void **__cudaRegisterFatBinary(void *wrapped);
void __cudaRegisterFatBinaryEnd(void **handle);
void __cudaUnregisterFatBinary(void **handle);
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *tid,
                            void *bid, void *block, void *grid, int *warp);
void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int ext, size_t size, int constant,
                       int global);
void __cudaRegisterManagedVar(void **handle, void **host, char *address, const char *name, int ext, size_t size,
                              int constant, int global);
char __cudaInitModule(void **handle);

static size_t bytes_of(const void *image) {
    struct head head;
    memcpy(&head, image, sizeof head);
    return head.header + head.bytes;
}
cudaError_t cudart_module_new(const char *call, const void *const *image, const size_t *bytes, unsigned count,
                              uint64_t *module) {
    size_t total = 0, at = 0;
    for (unsigned k = 0; k < count; k++) total += bytes[k];
    char *all = malloc(total + 1);
    if (!all) abort();
    for (unsigned k = 0; k < count; at += bytes[k++]) memcpy(all + at, image[k], bytes[k]);
    struct ask q = {.call = call, .op = EXEC_MODULE, .a = {*call != 0}, .payload = all, .bytes = total};
    const cudaError_t error = cudart_ask(&q);
    free(all);
    *module = q.answer[0];
    return error;
}
/* Registers a module. A linked module (-rdc=true) contains no PTX itself, but a NULL-terminated array of the images
 * of its files. */
void **__cudaRegisterFatBinary(void *wrapped) {
    const struct wrapper *w = wrapped;
    const void *one[] = {w->data, NULL}, *const *image = w->version == LINKED && w->others ? w->others : one;
    unsigned count = 0;
    while (image[count]) count++;
    size_t *bytes = calloc(count + 1, sizeof *bytes);
    if (!bytes) abort();
    for (unsigned k = 0; k < count; k++) bytes[k] = bytes_of(image[k]);
    uint64_t *handle = malloc(sizeof *handle);
    if (!handle) abort();
    cudart_module_new("", image, bytes, count, handle);
    free(bytes);
    return (void **)handle;
}
void __cudaRegisterFatBinaryEnd(void **handle) {}
void __cudaUnregisterFatBinary(void **handle) { free(handle); }
static struct known *add(uint64_t module, const void *host, const char *name) {
    struct known *k = calloc(1, sizeof *k);
    if (!k) abort();
    *k = (struct known){.host = host, .name = name, .module = module, .next = list};
    return list = k;
}
void cudart_register(uint64_t module, const void *host, const char *name, bool variable) {
    pthread_mutex_lock(&lock);
    add(module, host, name)->variable = variable;
    pthread_mutex_unlock(&lock);
}
void __cudaRegisterFunction(void **handle, const char *host, char *device, const char *name, int threads, void *tid,
                            void *bid, void *block, void *grid, int *warp) {
    add(*(uint64_t *)handle, host, name);
}
void __cudaRegisterVar(void **handle, char *host, char *address, const char *name, int ext, size_t size, int constant,
                       int global) {
    add(*(uint64_t *)handle, host, name)->variable = true;
}
void __cudaRegisterManagedVar(void **handle, void **host, char *address, const char *name, int ext, size_t size,
                              int constant, int global) {
    struct known *k = add(*(uint64_t *)handle, host, name);
    k->variable = k->managed = true;
}

/* ---- finding --------------------------------------------------------------------------------------- */
static struct known *find(const void *host) {
    struct known *k = list;
    while (k && k->host != host) k = k->next;
    return k;
}
static void ask_variable(const char *call, struct known *k) {
    struct ask q = {
        .call = call, .op = EXEC_VARIABLE, .a = {k->module, k->managed}, .payload = k->name, .bytes = strlen(k->name)};
    k->asked = true, k->error = cudart_ask(&q);
    k->address = q.answer[0], k->bytes = q.answer[1];
    if (q.descriptor >= 0 && cudart_map(q.answer[0], q.answer[1], q.descriptor))
        *(void **)(uintptr_t)k->host = (void *)q.answer[0];
}
/* Creates the module's managed variables. */
char __cudaInitModule(void **handle) {
    pthread_mutex_lock(&lock);
    for (struct known *k = list; k; k = k->next)
        if (k->managed && k->module == *(uint64_t *)handle && !k->asked) ask_variable("__managed__", k);
    pthread_mutex_unlock(&lock);
    return 1;
}
static struct known *kernel_of(const char *call, const void *function) {
    pthread_mutex_lock(&lock);
    struct known *k = find(function);
    if (k && !k->asked && !k->variable) {
        struct ask q = {.call = call,
                        .op = EXEC_KERNEL,
                        .a = {k->module},
                        .payload = k->name,
                        .bytes = strlen(k->name),
                        .to = &k->kernel,
                        .room = sizeof k->kernel};
        k->asked = true, k->error = cudart_ask(&q);
    }
    pthread_mutex_unlock(&lock);
    return k && !k->variable ? k : NULL;
}
struct exec_kernel *cudart_kernel(const char *call, const void *function, cudaError_t *error) {
    struct known *k = kernel_of(call, function);
    *error = k ? k->error : function ? cudaErrorInvalidResourceHandle : cudaErrorInvalidDeviceFunction;
    if (*error) cudart_keep(*error);
    return *error ? NULL : &k->kernel;
}
const char *cudart_kernel_name(const void *function) {
    const struct known *k = find(function);
    return k ? k->name : NULL;
}
cudaError_t cudart_symbol(const char *call, const void *symbol, uint64_t *address, uint64_t *bytes) {
    pthread_mutex_lock(&lock);
    struct known *k = find(symbol);
    /* the program may pass the address of a managed variable instead of its symbol */
    for (struct known *m = list; !k && m; m = m->next)
        if (m->managed && m->asked && (const void *)m->address == symbol) k = m;
    if (k && k->variable && !k->asked) ask_variable(call, k);
    pthread_mutex_unlock(&lock);
    if (!k || !k->variable) return cudart_refuse(call, cudaErrorInvalidSymbol, NULL);
    *address = k->address, *bytes = k->bytes;
    return cudart_keep(k->error);
}

/* ---- launches -------------------------------------------------------------------------------------- */
struct configuration {
    dim3 grid, block;
    size_t shared;
    cudaStream_t stream;
};
static __thread struct configuration pushed[MAX_CONFIGURATIONS];
static __thread unsigned depth;
unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream);
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream);
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function);
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream);

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, cudaStream_t stream) {
    if (depth == MAX_CONFIGURATIONS) return 1;
    pushed[depth++] = (struct configuration){grid, block, shared, stream};
    return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared, void *stream) {
    if (!depth) return cudart_refuse("<<<>>>", cudaErrorInvalidConfiguration, NULL);
    const struct configuration *c = &pushed[--depth];
    *grid = c->grid, *block = c->block, *shared = c->shared, *(cudaStream_t *)stream = c->stream;
    return cudaSuccess;
}
static const dim3 no_cluster; /* keeps the compiled cluster size */
cudaError_t cudart_launch(const struct cudart_launch *c) {
    cudaError_t error;
    if (cudart_capturing(c->stream)) return cudart_capture_launch(c);
    if (cudart_capture_implicit("<<<>>>", c->stream, &error)) return error;
    const struct exec_kernel *k = c->kernel;
    size_t bytes = 0, at = 0;
    for (uint32_t p = 0; p < k->parameters; p++) bytes += k->bytes[p];
    char *packed = malloc(bytes + 1);
    if (!packed) return cudart_refuse(c->call, cudaErrorMemoryAllocation, NULL);
    for (uint32_t p = 0; p < k->parameters; at += k->bytes[p++]) memcpy(packed + at, c->arguments[p], k->bytes[p]);
    const struct exec_launch l = {.stream = (uintptr_t)c->stream,
                                  .shared = c->shared,
                                  .kernel = k->number,
                                  .cooperative = c->cooperative,
                                  .overlaps = c->overlaps,
                                  .grid = {c->grid.x, c->grid.y, c->grid.z},
                                  .block = {c->block.x, c->block.y, c->block.z},
                                  .cluster = {c->cluster.x, c->cluster.y, c->cluster.z}};
    struct ask q = {.call = c->call,
                    .op = EXEC_LAUNCH,
                    .payload = &l,
                    .bytes = sizeof l,
                    .more = packed,
                    .more_bytes = bytes,
                    .prints = true};
    error = cudart_ask(&q);
    free(packed);
    return error;
}
static cudaError_t launch_with(struct cudart_launch l) {
    cudaError_t error;
    l.kernel = cudart_kernel(l.call, l.function, &error);
    return l.kernel ? cudart_launch(&l) : error;
}
static cudaError_t launch(const char *call, const void *function, dim3 grid, dim3 block, void **arguments,
                          size_t shared, cudaStream_t stream, bool cooperative) {
    return launch_with((struct cudart_launch){call, function, NULL, grid, block, no_cluster, arguments, shared, stream,
                                              cooperative, false});
}
cudaError_t __cudaGetKernel(cudaKernel_t *kernel, const void *function) {
    *kernel = (cudaKernel_t)function;
    return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                               cudaStream_t stream) {
    return launch(CUDART_LAUNCH, kernel, grid, block, arguments, shared, stream, false);
}
cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                             cudaStream_t stream) {
    return launch("cudaLaunchKernel", function, grid, block, arguments, shared, stream, false);
}
cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **arguments, size_t shared,
                                        cudaStream_t stream) {
    return launch("cudaLaunchCooperativeKernel", function, grid, block, arguments, shared, stream, true);
}
void cudart_launch_attribute(struct cudart_launch *l, cudaLaunchAttributeID name, const cudaLaunchAttributeValue *v) {
    if (name == cudaLaunchAttributeCooperative) l->cooperative = v->cooperative;
    if (name == cudaLaunchAttributeClusterDimension)
        l->cluster = (dim3){v->clusterDim.x, v->clusterDim.y, v->clusterDim.z};
    if (name == cudaLaunchAttributeProgrammaticStreamSerialization)
        l->overlaps = v->programmaticStreamSerializationAllowed;
}
cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *c, const void *function, void **arguments) {
    static const char call[] = "cudaLaunchKernelExC";
    if (!c) return cudart_refuse(call, cudaErrorInvalidValue, NULL);
    struct cudart_launch l = {call,        function,   NULL,      c->gridDim,
                              c->blockDim, no_cluster, arguments, c->dynamicSmemBytes,
                              c->stream,   false,      false};
    for (unsigned k = 0; k < c->numAttrs; k++) cudart_launch_attribute(&l, c->attrs[k].id, &c->attrs[k].val);
    return launch_with(l);
}
