// Calls that the driver API rejects, and an error that the program does not check. //$ 1
#include <cstdio>
#include <cuda.h>
static const char text[] = ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p) { ret; }\n",
                  broken[] = ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k( { ret; }\n";
static void say(CUresult e) {
    const char *name = "?";
    cuGetErrorName(e, &name);
    puts(name);
}
int main() {
    CUdevice device = 0;
    CUcontext context;
    CUmodule module;
    CUfunction k;
    CUdeviceptr d = 0;
    char log[200] = "", host[100] = "";
    say(cuDeviceGet(&device, 0)); //= CUDA_ERROR_NOT_INITIALIZED //! failed-call
    say(cuInit(0)); //= CUDA_SUCCESS
    say(cuDeviceGet(&device, 1)); //= CUDA_ERROR_INVALID_DEVICE //! failed-call
    say(cuMemAlloc(&d, 64)); //= CUDA_ERROR_INVALID_CONTEXT //! failed-call
    say(cuDevicePrimaryCtxRetain(&context, 0)); //= CUDA_SUCCESS
    say(cuCtxSetCurrent(context)); //= CUDA_SUCCESS
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *values[] = {log, (void *)sizeof log};
    say(cuModuleLoadDataEx(&module, broken, 2, options, values)); //= CUDA_ERROR_INVALID_PTX //! no-device-code
    puts(log[0] ? "a log" : "no log"); //= a log
    say(cuModuleLoadData(&module, "\177ELF")); //= CUDA_ERROR_INVALID_IMAGE //! failed-call
    say(cuModuleLoad(&module, "/nowhere.ptx")); //= CUDA_ERROR_FILE_NOT_FOUND //! failed-call
    say(cuModuleLoadData(&module, text)); //= CUDA_SUCCESS
    say(cuModuleGetFunction(&k, module, "K")); //= CUDA_ERROR_NOT_FOUND //! failed-call
    say(cuModuleGetFunction(&k, module, "k")); //= CUDA_SUCCESS
    say(cuMemAlloc(&d, 64)); //= CUDA_SUCCESS //! leak
    say(cuMemcpyHtoD(d, host, 100)); //= CUDA_ERROR_INVALID_VALUE //! copy-size
    say(cuMemcpyDtoH((void *)d, (CUdeviceptr)host, 8)); //= CUDA_ERROR_INVALID_VALUE //! copy-direction
    void *parameters[] = {&d};
    say(cuLaunchKernel(k, 1, 1, 1, 2000, 1, 1, 0, NULL, parameters, NULL)); //= CUDA_ERROR_INVALID_VALUE //! bad-launch
    cuLaunchKernel(k, 1, 70000, 1, 32, 1, 1, 0, NULL, parameters, NULL); //! bad-launch unseen-error
}
