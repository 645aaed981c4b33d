// A program that uses only the driver API: a PTX module with a kernel and a variable, both ways to pass parameters, and all kinds of memory.
#include <cstdio>
#include <cstring>
#include <cuda.h>
#define DO(...)                                                                                                        \
    if (CUresult e = __VA_ARGS__) {                                                                                    \
        const char *name;                                                                                              \
        cuGetErrorName(e, &name);                                                                                      \
        return printf("line %d: %s\n", __LINE__, name), 1;                                                             \
    }
static const char text[] = R"(
.version 8.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 step = 3;
.visible .entry walk(.param .u64 p, .param .u32 n, .param .align 8 .f64 unused)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [p];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.s32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra end;
    cvta.to.global.u64 %d1, %d1;
    mad.wide.u32 %d2, %r5, 4, %d1;
    ld.global.u32 %r6, [%d2];
    ld.global.u32 %r7, [step];
    add.u32 %r6, %r6, %r7;
    st.global.u32 [%d2], %r6;
end:
    ret;
}
)";
int main() {
    const unsigned n = 1000;
    int count = 0, major = 0, threads = 0, blocks = 0, version = 0;
    char name[100];
    unsigned host[n];
    CUdevice device;
    CUcontext context, now;
    CUmodule module;
    CUfunction walk;
    CUdeviceptr d, step;
    size_t bytes, pitch;
    DO(cuInit(0));
    DO(cuDriverGetVersion(&version));
    DO(cuDeviceGetCount(&count));
    DO(cuDeviceGet(&device, 0));
    DO(cuDeviceGetName(name, sizeof name, device));
    DO(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    DO(cuDeviceTotalMem(&bytes, device));
    printf("%d, %d, %d, %d\n", count, version == CUDA_VERSION, major >= 9, bytes > 1 << 20); //= 1, 1, 1, 1
#if CUDA_VERSION >= 13000
    DO(cuCtxCreate(&context, NULL, 0, device));
#else
    DO(cuCtxCreate(&context, 0, device));
#endif
    DO(cuCtxGetCurrent(&now));
    DO(cuModuleLoadData(&module, text));
    DO(cuModuleGetFunction(&walk, module, "walk"));
    DO(cuFuncGetAttribute(&threads, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, walk));
    DO(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, walk, 256, 0));
    printf("%d %d %d\n", now == context, threads, blocks); //= 1 1024 8
    DO(cuMemAlloc(&d, sizeof host));
    DO(cuMemsetD32(d, 7, n));
    double unused = 0;
    unsigned m = n;
    void *parameters[] = {&d, &m, &unused};
    DO(cuLaunchKernel(walk, 4, 1, 1, 256, 1, 1, 0, NULL, parameters, NULL));
    DO(cuModuleGetGlobal(&step, &bytes, module, "step"));
    const unsigned more = 90;
    DO(cuMemcpyHtoD(step, &more, sizeof more));
    struct {
        CUdeviceptr p;
        unsigned n;
        double unused;
    } packed = {d, n / 2, 0};
    size_t size = sizeof packed;
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    DO(cuLaunchKernel(walk, 4, 1, 1, 256, 1, 1, 0, NULL, NULL, extra));
    DO(cuCtxSynchronize());
    DO(cuMemcpyDtoH(host, d, sizeof host));
    printf("%u %u %zu\n", host[n / 2 - 1], host[n / 2], bytes); //= 100 10 4
    /* rows of 10 in a pitched buffer, and filled by halves */
    CUdeviceptr rows;
    unsigned short table[4][10];
    DO(cuMemAllocPitch(&rows, &pitch, sizeof *table, 4, 4));
    DO(cuMemsetD2D16(rows, pitch, 0x1234, 10, 4));
    CUDA_MEMCPY2D c = {};
    c.srcMemoryType = CU_MEMORYTYPE_DEVICE, c.srcDevice = rows, c.srcPitch = pitch, c.srcY = 1;
    c.dstMemoryType = CU_MEMORYTYPE_HOST, c.dstHost = table, c.dstPitch = sizeof *table;
    c.WidthInBytes = sizeof *table, c.Height = 3;
    DO(cuMemcpy2D(&c));
    printf("%x %x\n", table[0][0], table[2][9]); //= 1234 1234
    /* managed memory, streams, events */
    CUdeviceptr both;
    CUstream stream;
    CUevent begin, end;
    float milliseconds = 0;
    DO(cuMemAllocManaged(&both, sizeof host, CU_MEM_ATTACH_GLOBAL));
    memset((void *)both, 0, sizeof host);
    DO(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    DO(cuEventCreate(&begin, 0));
    DO(cuEventCreate(&end, 0));
    DO(cuEventRecord(begin, stream));
    parameters[0] = &both;
    DO(cuLaunchKernel(walk, 4, 1, 1, 256, 1, 1, 0, stream, parameters, NULL));
    DO(cuEventRecord(end, stream));
    DO(cuStreamSynchronize(stream));
    DO(cuEventElapsedTime(&milliseconds, begin, end));
    printf("%u %d\n", ((unsigned *)both)[n - 1], milliseconds > 0); //= 90 1
    CUmemorytype type;
    DO(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, d + 4));
    CUdeviceptr base;
    DO(cuMemGetAddressRange(&base, &bytes, d + 8));
    printf("%d %d %zu\n", type == CU_MEMORYTYPE_DEVICE, base == d, bytes); //= 1 1 4000
    DO(cuEventDestroy(begin));
    DO(cuEventDestroy(end));
    DO(cuStreamDestroy(stream));
    DO(cuMemFree(both));
    DO(cuMemFree(rows));
    DO(cuMemFree(d));
    DO(cuModuleUnload(module));
    DO(cuCtxDestroy(context));
}
