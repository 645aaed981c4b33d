// Loads a library of kernels from PTX.
//> 90
#include <cstdio>
static const char text[] = ".version 7.0\n.target sm_70\n.address_size 64\n.global .u32 step = 5;\n"
                           ".visible .entry add(.param .u64 p) {\n.reg .b64 %d<2>; .reg .b32 %r<3>;\n"
                           "ld.param.u64 %d1, [p]; cvta.to.global.u64 %d1, %d1; ld.global.u32 %r1, [%d1];\n"
                           "ld.global.u32 %r2, [step]; add.u32 %r1, %r1, %r2; st.global.u32 [%d1], %r1; ret; }\n"
                           ".visible .entry nothing() { ret; }\n";
int main() {
    cudaLibrary_t library;
    cudaKernel_t kernel, all[2];
    int *d, h = 1, two = 2;
    unsigned count;
    void *step;
    size_t bytes;
    cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0);
    cudaLibraryGetKernel(&kernel, library, "add");
    cudaLibraryGetKernelCount(&count, library), cudaLibraryEnumerateKernels(all, 2, library);
    cudaMalloc(&d, sizeof *d), cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);
    void *arguments[] = {&d};
    cudaLaunchKernel((void *)kernel, 1, 1, arguments, 0, 0);
    cudaLibraryGetGlobal(&step, &bytes, library, "step"), cudaMemcpy(step, &two, bytes, cudaMemcpyHostToDevice);
    for (cudaKernel_t k : all) cudaLaunchKernel((void *)k, 1, 1, arguments, 0, 0); // in any order: one does nothing
    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%u %zu %d\n", count, bytes, h); //= 2 4 8
    cudaLibraryUnload(library), cudaFree(d);
}
