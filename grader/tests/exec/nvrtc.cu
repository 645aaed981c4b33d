/* A kernel that the program compiles with NVRTC, which needs no GPU. */
//+ -lnvrtc
#include <cstdio>
#include <cuda.h>
#include <nvrtc.h>
#include <vector>

static const char source[] = "template<class T> __global__ void axpy(T a, const T *x, T *y, int n) {\n"
                             "    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                             "    if (i < n) y[i] += a * x[i];\n"
                             "}\n";
int main() {
    nvrtcProgram program;
    size_t bytes;
    const char *name, *options[] = {"--gpu-architecture=compute_80", "-lineinfo"};
    nvrtcCreateProgram(&program, source, "axpy.cu", 0, NULL, NULL);
    nvrtcAddNameExpression(program, "axpy<float>");
    printf("%s\n", nvrtcGetErrorString(nvrtcCompileProgram(program, 2, options))); //= NVRTC_SUCCESS
    nvrtcGetPTXSize(program, &bytes);
    std::vector<char> ptx(bytes);
    nvrtcGetPTX(program, ptx.data());
    nvrtcGetLoweredName(program, "axpy<float>", &name);

    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction axpy;
    CUdeviceptr x, y;
    float host[32], a = 3;
    int n = 32;
    cuInit(0), cuDeviceGet(&device, 0), cuDevicePrimaryCtxRetain(&context, device), cuCtxSetCurrent(context);
    cuModuleLoadData(&module, ptx.data()), cuModuleGetFunction(&axpy, module, name);
    for (int i = 0; i < n; i++) host[i] = i;
    cuMemAlloc(&x, sizeof host), cuMemAlloc(&y, sizeof host);
    cuMemcpyHtoD(x, host, sizeof host), cuMemcpyHtoD(y, host, sizeof host);
    void *arguments[] = {&a, &x, &y, &n};
    cuLaunchKernel(axpy, 1, 1, 1, 32, 1, 1, 0, NULL, arguments, NULL);
    cuMemcpyDtoH(host, y, sizeof host);
    printf("%g\n", host[31]); //= 124
    nvrtcDestroyProgram(&program);
    cuMemFree(x), cuMemFree(y), cuModuleUnload(module), cuDevicePrimaryCtxRelease(device);
}
