/* Device properties, kernels' attributes and occupancy, and settings, most of which have no effect in the simulator. */
#include "exec/cudart_graph.h"
#include <stdio.h>
#include <string.h>

enum {
    ONE_BLOCK = 48 << 10,
    REGISTERS = 65536,
    MAX_GRID_X = 2147483647,
    MAX_GRID_Y = 65535,
    WARP = 32,
    THREADS = 1024,
    PORTABLE_CLUSTER = 8,  /* blocks */
    MAX_WINDOW = 128 << 20 /* maximum size of an access policy window in bytes */
};

/* ---- the device ------------------------------------------------------------------------------------- */
cudaError_t cudaGetDeviceCount(int *count) {
    if (!count) return cudart_invalid("cudaGetDeviceCount");
    *count = 1;
    return cudaSuccess;
}
cudaError_t cudaGetDevice(int *device) {
    if (!device) return cudart_invalid("cudaGetDevice");
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDevice(int device) {
    if (device) return cudart_refuse("cudaSetDevice", cudaErrorInvalidDevice, "There is one device, number 0.");
    return cudaSuccess;
}
cudaError_t cudaInitDevice(int device, unsigned flags, unsigned more) { return cudaSetDevice(device); }
cudaError_t cudaSetValidDevices(int *devices, int count) { return cudaSuccess; }
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *p) {
    if (!device) return cudart_invalid("cudaChooseDevice");
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaSetDeviceFlags(unsigned flags) {
    return flags & ~(unsigned)cudaDeviceMask ? cudart_invalid("cudaSetDeviceFlags") : cudaSuccess;
}
cudaError_t cudaGetDeviceFlags(unsigned *flags) {
    if (!flags) return cudart_invalid("cudaGetDeviceFlags");
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
}
cudaError_t cudaDeviceReset(void) {
    struct ask q = {.call = "cudaDeviceReset", .op = EXEC_RESET};
    return cudart_ask(&q);
}
cudaError_t cudaDriverGetVersion(int *version) {
    if (!version) return cudart_invalid("cudaDriverGetVersion");
    *version = CUDART_VERSION;
    return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int *version) {
    if (!version) return cudart_invalid("cudaRuntimeGetVersion");
    *version = CUDART_VERSION;
    return cudaSuccess;
}

/* ---- properties --------------------------------------------------------------------------------------- */
cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *p, int device) {
    if (!p) return cudart_invalid("cudaGetDeviceProperties");
    const struct exec_device *d = cudart_device();
    if (device) return cudart_refuse("cudaGetDeviceProperties", cudaErrorInvalidDevice, NULL);
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "%s", d->name);
    p->totalGlobalMem = d->memory, p->sharedMemPerBlock = ONE_BLOCK, p->regsPerBlock = REGISTERS;
    p->warpSize = WARP, p->memPitch = INT32_MAX, p->maxThreadsPerBlock = THREADS;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = THREADS, p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = MAX_GRID_X, p->maxGridSize[1] = p->maxGridSize[2] = MAX_GRID_Y;
    p->totalConstMem = 64 << 10, p->major = (int)d->major, p->minor = (int)d->minor;
    p->textureAlignment = 512, p->texturePitchAlignment = 32, p->surfaceAlignment = 512;
    p->multiProcessorCount = (int)d->sms, p->canMapHostMemory = 1, p->concurrentKernels = 1, p->ECCEnabled = 1;
    p->asyncEngineCount = 3, p->unifiedAddressing = 1, p->memoryBusWidth = 6144, p->l2CacheSize = (int)d->l2;
    p->maxThreadsPerMultiProcessor = (int)d->threads_sm, p->streamPrioritiesSupported = 1;
    p->globalL1CacheSupported = p->localL1CacheSupported = 1;
    p->sharedMemPerMultiprocessor = d->shared_sm, p->regsPerMultiprocessor = REGISTERS;
    p->managedMemory = 1, p->concurrentManagedAccess = 1, p->computePreemptionSupported = 1;
    p->cooperativeLaunch = 1, p->sharedMemPerBlockOptin = d->shared_sm - d->reserved_shared;
    p->maxBlocksPerMultiProcessor = (int)d->blocks_sm, p->reservedSharedMemPerBlock = d->reserved_shared;
    p->memoryPoolsSupported = 1, p->clusterLaunch = p->major >= 9;
    p->persistingL2CacheMaxSize = p->l2CacheSize / 8 * 5, p->accessPolicyMaxWindowSize = MAX_WINDOW;
    p->hostNativeAtomicSupported = 0, p->pageableMemoryAccess = 0, p->hostRegisterSupported = 1;
#define LIMIT(attribute, member, value) p->member = value;
#include "exec/limits.def"
#undef LIMIT
#if CUDART_VERSION < 13000
    p->clockRate = (int)d->clock_khz, p->memoryClockRate = 2619000, p->cooperativeMultiDeviceLaunch = 0;
#endif
    return cudaSuccess;
}
cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    if (!value) return cudart_invalid("cudaDeviceGetAttribute");
    struct cudaDeviceProp p;
    if (device || cudaGetDeviceProperties(&p, 0))
        return cudart_refuse("cudaDeviceGetAttribute", cudaErrorInvalidDevice, NULL);
    const struct {
        enum cudaDeviceAttr attribute;
        size_t value;
    } rows[] = {
        {cudaDevAttrMaxThreadsPerBlock, THREADS},
        {cudaDevAttrMaxBlockDimX, THREADS},
        {cudaDevAttrMaxBlockDimY, THREADS},
        {cudaDevAttrMaxBlockDimZ, 64},
        {cudaDevAttrMaxGridDimX, MAX_GRID_X},
        {cudaDevAttrMaxGridDimY, MAX_GRID_Y},
        {cudaDevAttrMaxGridDimZ, MAX_GRID_Y},
        {cudaDevAttrMaxSharedMemoryPerBlock, ONE_BLOCK},
        {cudaDevAttrTotalConstantMemory, p.totalConstMem},
        {cudaDevAttrWarpSize, WARP},
        {cudaDevAttrMaxPitch, INT32_MAX},
        {cudaDevAttrMaxRegistersPerBlock, REGISTERS},
        {cudaDevAttrClockRate, cudart_device()->clock_khz},
        {cudaDevAttrMemoryClockRate, 2619000},
        {cudaDevAttrGpuOverlap, 1},
        {cudaDevAttrMultiProcessorCount, (size_t)p.multiProcessorCount},
        {cudaDevAttrCanMapHostMemory, 1},
        {cudaDevAttrConcurrentKernels, 1},
        {cudaDevAttrEccEnabled, 1},
        {cudaDevAttrGlobalMemoryBusWidth, (size_t)p.memoryBusWidth},
        {cudaDevAttrL2CacheSize, (size_t)p.l2CacheSize},
        {cudaDevAttrMaxThreadsPerMultiProcessor, (size_t)p.maxThreadsPerMultiProcessor},
        {cudaDevAttrAsyncEngineCount, 3},
        {cudaDevAttrUnifiedAddressing, 1},
        {cudaDevAttrComputeCapabilityMajor, (size_t)p.major},
        {cudaDevAttrComputeCapabilityMinor, (size_t)p.minor},
        {cudaDevAttrStreamPrioritiesSupported, 1},
        {cudaDevAttrGlobalL1CacheSupported, 1},
        {cudaDevAttrLocalL1CacheSupported, 1},
        {cudaDevAttrMaxSharedMemoryPerMultiprocessor, p.sharedMemPerMultiprocessor},
        {cudaDevAttrMaxRegistersPerMultiprocessor, REGISTERS},
        {cudaDevAttrManagedMemory, 1},
        {cudaDevAttrConcurrentManagedAccess, 1},
        {cudaDevAttrComputePreemptionSupported, 1},
        {cudaDevAttrCooperativeLaunch, 1},
        {cudaDevAttrClusterLaunch, (size_t)p.clusterLaunch},
        {cudaDevAttrMaxSharedMemoryPerBlockOptin, p.sharedMemPerBlockOptin},
        {cudaDevAttrMaxBlocksPerMultiprocessor, (size_t)p.maxBlocksPerMultiProcessor},
        {cudaDevAttrReservedSharedMemoryPerBlock, p.reservedSharedMemPerBlock},
        {cudaDevAttrMemoryPoolsSupported, 1},
        {cudaDevAttrMaxPersistingL2CacheSize, (size_t)p.persistingL2CacheMaxSize},
        {cudaDevAttrMaxAccessPolicyWindowSize, MAX_WINDOW},
        {cudaDevAttrHostRegisterSupported, 1},
        {cudaDevAttrTextureAlignment, p.textureAlignment},
        {cudaDevAttrTexturePitchAlignment, p.texturePitchAlignment},
        {cudaDevAttrSurfaceAlignment, p.surfaceAlignment},
        {cudaDevAttrSingleToDoublePrecisionPerfRatio, 2},
        {cudaDevAttrMaxTexture1DLinearWidth, 1 << 28},
#define LIMIT(attribute, member, value) {cudaDevAttr##attribute, value},
#include "exec/limits.def"
#undef LIMIT
    };
    if (attribute < 1 || attribute >= cudaDevAttrMax) return cudart_invalid("cudaDeviceGetAttribute");
    *value = 0; /* attributes that the device lacks are 0 */
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].attribute == attribute) *value = (int)rows[k].value;
    return cudaSuccess;
}
static const char bus_id[] = "0000:00:00.0";
cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device) {
    snprintf(text, (size_t)size, "%s", bus_id);
    return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
    if (!device || !text) return cudart_invalid("cudaDeviceGetByPCIBusId");
    if (strcmp(text, bus_id) != 0) return cudart_refuse("cudaDeviceGetByPCIBusId", cudaErrorInvalidDevice, NULL);
    *device = 0;
    return cudaSuccess;
}
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    if (!can) return cudart_invalid("cudaDeviceCanAccessPeer");
    if (device || peer) return cudart_refuse("cudaDeviceCanAccessPeer", cudaErrorInvalidDevice, NULL);
    *can = 0;
    return cudaSuccess;
}
/* There are no peers, because the only device cannot be its own peer. */
static cudaError_t peer_access(const char *call, int peer, cudaError_t error) {
    return cudart_refuse(call, peer ? cudaErrorInvalidDevice : error, "There is one device, number 0.");
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
    if (flags) return cudart_invalid("cudaDeviceEnablePeerAccess");
    return peer_access("cudaDeviceEnablePeerAccess", peer, cudaErrorPeerAccessUnsupported);
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return peer_access("cudaDeviceDisablePeerAccess", peer, cudaErrorPeerAccessNotEnabled);
}

/* ---- settings ------------------------------------------------------------------------------------------- */
enum { LIMITS = 16 };
static size_t limits[LIMITS] = {[cudaLimitStackSize] = 1 << 10,
                                [cudaLimitPrintfFifoSize] = EXEC_PRINT_BYTES,
                                [cudaLimitMallocHeapSize] = 8 << 20,
                                [cudaLimitDevRuntimeSyncDepth] = 2,
                                [cudaLimitDevRuntimePendingLaunchCount] = 2048,
                                [cudaLimitMaxL2FetchGranularity] = 64};
/* least: minimum value; unit: values are rounded up to a multiple of this power of two, or not rounded if `unit` is 0.
 * Measured on an H200. */
static const struct {
    size_t least, unit;
} granularity[LIMITS] = {[cudaLimitStackSize] = {16, 16},
                         [cudaLimitPrintfFifoSize] = {512 << 10, 0},
                         [cudaLimitMallocHeapSize] = {4 << 20, 64 << 10}};
cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
    const cudaError_t error = cudart_capture_unsafe("cudaDeviceSetLimit");
    if (error) return error;
    if ((unsigned)limit >= LIMITS) return cudart_invalid("cudaDeviceSetLimit");
    if (limit == cudaLimitPersistingL2CacheSize) { /* set aside in sixteenths of L2 */
        const size_t l2 = cudart_device()->l2, part = l2 / 16;
        if (value > l2 / 8 * 5) return cudart_invalid("cudaDeviceSetLimit");
        value = (value + part - 1) / part * part;
    }
    limits[limit] = value < granularity[limit].least ? granularity[limit].least : value;
    if (granularity[limit].unit)
        limits[limit] = (limits[limit] + granularity[limit].unit - 1) & -granularity[limit].unit;
    if (limit != cudaLimitPrintfFifoSize) return cudaSuccess;
    struct ask q = {.call = "cudaDeviceSetLimit", .op = EXEC_LIMIT, .a = {0, EXEC_PRINT, limits[limit]}};
    return cudart_ask(&q);
}
cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
    if (!value || (unsigned)limit >= LIMITS) return cudart_invalid("cudaDeviceGetLimit");
    *value = limits[limit];
    return cudaSuccess;
}
cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache c) { return cudaSuccess; }
cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *c) {
    if (!c) return cudart_invalid("cudaDeviceGetCacheConfig");
    *c = cudaFuncCachePreferNone;
    return cudaSuccess;
}
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig c) { return cudaSuccess; }
cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *c) {
    if (!c) return cudart_invalid("cudaDeviceGetSharedMemConfig");
    *c = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}
cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache c) { return cudaSuccess; }
cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig c) { return cudaSuccess; }
cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }
cudaError_t cudaProfilerStart(void);
cudaError_t cudaProfilerStop(void);
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

/* ---- kernels ---------------------------------------------------------------------------------------------- */
cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *a, const void *function) {
    cudaError_t error;
    const struct exec_kernel *k = cudart_kernel("cudaFuncGetAttributes", function, &error);
    if (!k) return error;
    memset(a, 0, sizeof *a);
    a->sharedSizeBytes = k->shared, a->constSizeBytes = k->constant, a->localSizeBytes = k->local;
    a->maxThreadsPerBlock = (int)k->most_threads, a->numRegs = (int)k->registers;
    a->ptxVersion = (int)k->ptx, a->binaryVersion = (int)k->version;
    a->maxDynamicSharedSizeBytes = (int)k->dynamic, a->preferredShmemCarveout = k->carveout;
    return cudaSuccess;
}
cudaError_t cudart_limit(const char *call, struct exec_kernel *k, enum exec_limit limit, int value) {
    struct ask q = {.call = call, .op = EXEC_LIMIT, .a = {k->number, limit, (uint64_t)value}};
    const cudaError_t error = cudart_ask(&q);
    if (!error && limit == EXEC_DYNAMIC) k->dynamic = (uint32_t)value;
    return error;
}
cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute, int value) {
    static const char call[] = "cudaFuncSetAttribute";
    cudaError_t error;
    struct exec_kernel *k = cudart_kernel(call, function, &error);
    if (!k) return error;
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) return cudart_limit(call, k, EXEC_DYNAMIC, value);
    if (attribute == cudaFuncAttributeNonPortableClusterSizeAllowed) return cudart_limit(call, k, EXEC_CLUSTER, value);
    if (attribute != cudaFuncAttributePreferredSharedMemoryCarveout)
        return (unsigned)attribute < cudaFuncAttributeMax ? cudaSuccess : cudart_invalid(call);
    if (value < -1 || value > 100) return cudart_invalid(call);
    k->carveout = value;
    return cudaSuccess;
}
cudaError_t cudaFuncGetName(const char **name, const void *function) {
    if (!name) return cudart_invalid("cudaFuncGetName");
    *name = cudart_kernel_name(function);
    return *name ? cudaSuccess : cudart_refuse("cudaFuncGetName", cudaErrorInvalidDeviceFunction, NULL);
}
cudaError_t cudaFuncGetParamInfo(const void *function, size_t number, size_t *offset, size_t *size) {
    cudaError_t error;
    const struct exec_kernel *k = cudart_kernel("cudaFuncGetParamInfo", function, &error);
    if (!k) return error;
    if (number >= k->parameters) return cudart_refuse("cudaFuncGetParamInfo", cudaErrorInvalidValue, NULL);
    *offset = k->offset[number], *size = k->bytes[number];
    return cudaSuccess;
}
static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }
/* The number of resident blocks is limited by the SM's maximum number of blocks, by threads, by shared memory, and by
 * the registers that cudaFuncGetAttributes() reports. */
size_t cudart_resident(const struct exec_kernel *k, size_t threads, size_t dynamic) {
    const struct exec_device *d = cudart_device();
    const size_t warps = (threads + WARP - 1) / WARP, shared = k->shared + dynamic + d->reserved_shared;
    if (!warps || threads > k->most_threads || shared > d->shared_sm || dynamic > k->dynamic) return 0;
    const size_t by_registers = REGISTERS / (warps * WARP * k->registers);
    return smaller(smaller(d->blocks_sm, d->threads_sm / (warps * WARP)), smaller(d->shared_sm / shared, by_registers));
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *function, int threads,
                                                                   size_t dynamic, unsigned flags) {
    cudaError_t error;
    const struct exec_kernel *k = cudart_kernel("cudaOccupancyMaxActiveBlocksPerMultiprocessor", function, &error);
    if (!k) return error;
    if (threads <= 0) return cudart_invalid("cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    *blocks = (int)cudart_resident(k, (size_t)threads, dynamic);
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function, int threads,
                                                          size_t dynamic) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, dynamic, 0);
}
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks, int threads) {
    cudaError_t error;
    const struct exec_device *d = cudart_device();
    const struct exec_kernel *k = cudart_kernel("cudaOccupancyAvailableDynamicSMemPerBlock", function, &error);
    if (!k) return error;
    const size_t each = blocks > 0 ? d->shared_sm / (size_t)blocks : 0, taken = k->shared + d->reserved_shared;
    *bytes = each > taken ? smaller(each - taken, k->dynamic) : 0;
    return cudaSuccess;
}
/* Returns the number of resident clusters. A cluster runs within one group of SMs, each block on a separate SM
 * (model/gpus/gpus.def). */
static size_t resident_clusters(size_t each, size_t size) {
    const struct exec_device *d = cudart_device();
    size_t clusters = 0;
    if (size > 1) each = smaller(each, d->cluster_blocks_sm);
    if (size < 2 || !d->gpc[0]) return each * d->sms / size;
    for (size_t k = 0; k < sizeof d->gpc; k++)
        if (d->gpc[k] >= size) clusters += d->gpc[k] * each / size;
    return clusters;
}
cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *function, const cudaLaunchConfig_t *c) {
    cudaError_t error;
    const struct exec_kernel *k = cudart_kernel("cudaOccupancyMaxActiveClusters", function, &error);
    size_t size = 1;
    if (!k) return error;
    for (unsigned n = 0; n < c->numAttrs; n++)
        if (c->attrs[n].id == cudaLaunchAttributeClusterDimension)
            size = (size_t)c->attrs[n].val.clusterDim.x * c->attrs[n].val.clusterDim.y * c->attrs[n].val.clusterDim.z;
    const size_t threads = (size_t)c->blockDim.x * c->blockDim.y * c->blockDim.z;
    *clusters = size ? (int)resident_clusters(cudart_resident(k, threads, c->dynamicSmemBytes), size) : 0;
    return cudaSuccess;
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *function, const cudaLaunchConfig_t *c) {
    cudaError_t error;
    const struct exec_kernel *k = cudart_kernel("cudaOccupancyMaxPotentialClusterSize", function, &error);
    if (k) *size = PORTABLE_CLUSTER;
    return error;
}
