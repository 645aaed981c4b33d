// Two modules: the first copies into shared memory, the second uses less shared memory and copies from it.
//> 90
#include <cstdio>
static const char text[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".visible .entry zeros(.param .u64 p) {\n.reg .b64 %d<2>; .reg .b32 %r<3>;\n"
                           ".shared .align 16 .b8 s[16];\n"
                           "ld.param.u64 %d1, [p]; cvta.to.global.u64 %d1, %d1; mov.u32 %r1, s; mov.u32 %r2, 0;\n"
                           "st.shared.v4.u32 [s], {%r2, %r2, %r2, %r2}; fence.proxy.async.shared::cta;\n"
                           "cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r1], 16;\n"
                           "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0; ret; }\n";
__global__ void copy(const int *in, int *out) {
    extern __shared__ int s[];
    const unsigned at = (unsigned)__cvta_generic_to_shared(s + threadIdx.x);
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(in + threadIdx.x));
    asm volatile("cp.async.wait_all;" ::: "memory");
    out[threadIdx.x] = s[threadIdx.x] + 1;
}
int main() {
    cudaLibrary_t library;
    cudaKernel_t zeros;
    int *in, *out, h[4];
    cudaMalloc(&in, sizeof h), cudaMalloc(&out, sizeof h), cudaMemset(in, 1, sizeof h);
    copy<<<1, 4, 40000>>>(in, out);
    cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0);
    cudaLibraryGetKernel(&zeros, library, "zeros");
    void *arguments[] = {&in};
    cudaLaunchKernel((void *)zeros, 1, 1, arguments, 0, 0), cudaLaunchKernel((void *)zeros, 1, 1, arguments, 0, 0);
    cudaMemcpy(h, in, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d\n", h[3]); //= 0
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%x\n", h[3]); //= 1010102
    cudaLibraryUnload(library), cudaFree(in), cudaFree(out);
}
