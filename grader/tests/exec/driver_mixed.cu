// The driver API and the runtime in one program: functions by name, a linked module, a library of kernels, a texture, a callback.
#include <cstdio>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <cuda_runtime.h>
#define DO(...)                                                                                                        \
    if (int e = __VA_ARGS__) return printf("line %d: %d\n", __LINE__, e), 1
static const char one[] = R"(
.version 8.0
.target sm_70
.address_size 64
.extern .func (.param .b32 r) twice(.param .b32 x);
.visible .entry k(.param .u64 p)
{
    .reg .b32 %r<4>;
    .reg .b64 %d<2>;
    ld.param.u64 %d1, [p];
    ld.global.u32 %r1, [%d1];
    {
        .param .b32 x;
        .param .b32 r;
        st.param.b32 [x], %r1;
        call.uni (r), twice, (x);
        ld.param.b32 %r2, [r];
    }
    st.global.u32 [%d1], %r2;
    ret;
}
)",
                  two[] = R"(
.version 8.0
.target sm_70
.address_size 64
.visible .func (.param .b32 r) twice(.param .b32 x)
{
    .reg .b32 %r<4>;
    ld.param.b32 %r1, [x];
    add.u32 %r1, %r1, %r1;
    st.param.b32 [r], %r1;
    ret;
}
)",
                  fetch[] = R"(
.version 8.0
.target sm_70
.address_size 64
.visible .entry fetch(.param .u64 t, .param .u64 p)
{
    .reg .b32 %r<4>;
    .reg .f32 %f<8>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [t];
    ld.param.u64 %d2, [p];
    mov.u32 %r1, %tid.x;
    cvt.rn.f32.u32 %f5, %r1;
    tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%d1, {%f5}];
    mad.wide.u32 %d3, %r1, 4, %d2;
    st.global.f32 [%d3], %f1;
    ret;
}
)";
__global__ void add(int *p, int x) { *p += x; }
static void CUDA_CB called(void *data) { ++*(int *)data; }
int main() {
    int h = 5, calls = 0, *d;
    DO(cudaMalloc(&d, sizeof h)); /* makes the primary context current */
    DO(cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice));
    add<<<1, 1>>>(d, 1);
    PFN_cuLaunchKernel_v4000 launch;
    cudaDriverEntryPointQueryResult found;
    DO(cudaGetDriverEntryPointByVersion("cuLaunchKernel", (void **)&launch, 12000, cudaEnableDefault, &found));
    CUlinkState link;
    CUmodule module;
    CUfunction k;
    void *image;
    size_t bytes;
    DO(cuLinkCreate(0, NULL, NULL, &link));
    DO(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)one, sizeof one, "one", 0, NULL, NULL));
    DO(cuLinkAddData(link, CU_JIT_INPUT_PTX, (void *)two, sizeof two, "two", 0, NULL, NULL));
    DO(cuLinkComplete(link, &image, &bytes));
    DO(cuModuleLoadData(&module, image));
    DO(cuLinkDestroy(link));
    DO(cuModuleGetFunction(&k, module, "k"));
    void *parameters[] = {&d};
    DO(launch(k, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
    DO(cuLaunchHostFunc(NULL, called, &calls));
    DO(cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost));
    printf("%d %d %d\n", h, calls, found == cudaDriverEntryPointSuccess); //= 12 1 1
    CUlibrary library;
    CUkernel kernel;
    CUfunction function;
    DO(cuLibraryLoadData(&library, fetch, NULL, NULL, 0, NULL, NULL, 0));
    DO(cuLibraryGetKernel(&kernel, library, "fetch"));
    DO(cuKernelGetFunction(&function, kernel));
    CUarray array;
    CUDA_ARRAY_DESCRIPTOR a = {4, 0, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    const unsigned char texels[4] = {0, 51, 102, 255};
    DO(cuArrayCreate(&array, &a));
    DO(cuMemcpyHtoA(array, 0, texels, sizeof texels));
    CUDA_RESOURCE_DESC r = {};
    CUDA_TEXTURE_DESC t = {};
    CUtexObject object;
    r.resType = CU_RESOURCE_TYPE_ARRAY, r.res.array.hArray = array;
    DO(cuTexObjectCreate(&object, &r, &t, NULL));
    float values[4], *out;
    DO(cudaMalloc(&out, sizeof values));
    void *both[] = {&object, &out};
    DO(cuLaunchKernel(function, 1, 1, 1, 4, 1, 1, 0, NULL, both, NULL));
    DO(cudaMemcpy(values, out, sizeof values, cudaMemcpyDeviceToHost));
    printf("%g %g %g %g\n", values[0], values[1], values[2], values[3]); //= 0 0.2 0.4 1
    void *nothing = (void *)1;
    const CUresult missing = cuGetProcAddress("cuNothing", &nothing, 12000, 0, NULL); //! failed-call
    printf("%d\n", missing != CUDA_SUCCESS || !nothing); //= 1
    DO(cuTexObjectDestroy(object));
    DO(cuArrayDestroy(array));
    DO(cuLibraryUnload(library));
    DO(cuModuleUnload(module));
    DO(cudaFree(out));
    DO(cudaFree(d));
}
