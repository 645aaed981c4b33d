/* Declares, for clang without the CUDA Toolkit, the subset of CUDA C++ that the labs' kernels use. The command line
 * `clang -x cuda -nocudainc -nocudalib --cuda-device-only -include cuda_clang.h` includes this file first. Targets
 * compute capability 7.5 and PTX ISA 7.0. Names and semantics are those of the CUDA C++ Programming Guide. */
#ifndef CUDA_CLANG_H
#define CUDA_CLANG_H

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __align__(n) __attribute__((aligned(n)))
#define CUDA_FN_ static __device__ __forceinline__

typedef __SIZE_TYPE__ size_t;

/* ---- vectors ---------------------------------------------------------------------------------------------------------- */
#define CUDA_VECTORS_(T, name, a2, a4)                                                                                  \
    struct __align__(a2) name##2 { T x, y; };                                                                           \
    struct name##3 { T x, y, z; };                                                                                      \
    struct __align__(a4) name##4 { T x, y, z, w; };                                                                     \
    CUDA_FN_ name##2 make_##name##2(T x, T y) { return name##2{x, y}; }                                                 \
    CUDA_FN_ name##3 make_##name##3(T x, T y, T z) { return name##3{x, y, z}; }                                         \
    CUDA_FN_ name##4 make_##name##4(T x, T y, T z, T w) { return name##4{x, y, z, w}; }
CUDA_VECTORS_(int, int, 8, 16)
CUDA_VECTORS_(unsigned, uint, 8, 16)
CUDA_VECTORS_(float, float, 8, 16)
CUDA_VECTORS_(long long, longlong, 16, 16)
CUDA_VECTORS_(unsigned long long, ulonglong, 16, 16)
CUDA_VECTORS_(double, double, 16, 16)

struct dim3 {
    unsigned x, y, z;
    __device__ dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
#include <__clang_cuda_builtin_vars.h> /* threadIdx, blockIdx, blockDim, gridDim, warpSize */

/* ---- barriers and fences ------------------------------------------------------------------------------------------------ */
/* Clang does not expect other threads to write shared variables while a thread waits at a barrier such as
 * __syncthreads(). Clang 14 therefore moves loads of these variables across barriers in a function. An empty asm
 * statement that clobbers memory, before and after the barrier, prevents this. */
CUDA_FN_ void cuda_order_() { __asm__ volatile("" ::: "memory"); }
#define __syncthreads() (cuda_order_(), __syncthreads(), cuda_order_())
CUDA_FN_ int __syncthreads_count(int p) {
    cuda_order_();
    int all = __nvvm_bar0_popc(p);
    return cuda_order_(), all;
}
CUDA_FN_ int __syncthreads_and(int p) {
    cuda_order_();
    int all = __nvvm_bar0_and(p);
    return cuda_order_(), all;
}
CUDA_FN_ int __syncthreads_or(int p) {
    cuda_order_();
    int all = __nvvm_bar0_or(p);
    return cuda_order_(), all;
}
CUDA_FN_ void __syncwarp(unsigned mask = 0xffffffffu) { cuda_order_(), __nvvm_bar_warp_sync(mask), cuda_order_(); }
CUDA_FN_ void __threadfence_block() { cuda_order_(), __nvvm_membar_cta(), cuda_order_(); }
CUDA_FN_ void __threadfence() { cuda_order_(), __nvvm_membar_gl(), cuda_order_(); }
CUDA_FN_ void __threadfence_system() { cuda_order_(), __nvvm_membar_sys(), cuda_order_(); }

/* ---- votes and shuffles --------------------------------------------------------------------------------------------------- */
CUDA_FN_ int __all_sync(unsigned mask, int p) { return __nvvm_vote_all_sync(mask, p); }
CUDA_FN_ int __any_sync(unsigned mask, int p) { return __nvvm_vote_any_sync(mask, p); }
CUDA_FN_ unsigned __ballot_sync(unsigned mask, int p) { return __nvvm_vote_ballot_sync(mask, p); }
CUDA_FN_ unsigned __activemask() {
    unsigned mask;
    __asm__ volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
CUDA_FN_ unsigned __match_any_sync(unsigned mask, unsigned v) { return __nvvm_match_any_sync_i32(mask, v); }
CUDA_FN_ unsigned __match_any_sync(unsigned mask, int v) { return __nvvm_match_any_sync_i32(mask, (unsigned)v); }

/* The last operand of shfl packs the clamp value and the segment mask (PTX ISA, "shfl"). */
#define CUDA_SHUFFLE_(name, builtin, argument, clamp)                                                                       \
    CUDA_FN_ int name(unsigned mask, int v, argument, int width = 32) {                                                     \
        return builtin(mask, v, lane, ((32 - width) << 8) | (clamp));                                                       \
    }                                                                                                                       \
    CUDA_FN_ unsigned name(unsigned mask, unsigned v, argument, int width = 32) {                                           \
        return (unsigned)name(mask, (int)v, lane, width);                                                                   \
    }                                                                                                                       \
    CUDA_FN_ float name(unsigned mask, float v, argument, int width = 32) {                                                 \
        return __builtin_bit_cast(float, name(mask, __builtin_bit_cast(int, v), lane, width));                              \
    }                                                                                                                       \
    CUDA_FN_ long long name(unsigned mask, long long v, argument, int width = 32) {                                         \
        int low = name(mask, (int)v, lane, width), high = name(mask, (int)(v >> 32), lane, width);                          \
        return ((long long)high << 32) | (unsigned)low;                                                                     \
    }                                                                                                                       \
    CUDA_FN_ unsigned long long name(unsigned mask, unsigned long long v, argument, int width = 32) {                       \
        return (unsigned long long)name(mask, (long long)v, lane, width);                                                   \
    }                                                                                                                       \
    CUDA_FN_ double name(unsigned mask, double v, argument, int width = 32) {                                               \
        return __builtin_bit_cast(double, name(mask, __builtin_bit_cast(long long, v), lane, width));                       \
    }
CUDA_SHUFFLE_(__shfl_sync, __nvvm_shfl_sync_idx_i32, int lane, 31)
CUDA_SHUFFLE_(__shfl_up_sync, __nvvm_shfl_sync_up_i32, unsigned lane, 0)
CUDA_SHUFFLE_(__shfl_down_sync, __nvvm_shfl_sync_down_i32, unsigned lane, 31)
CUDA_SHUFFLE_(__shfl_xor_sync, __nvvm_shfl_sync_bfly_i32, int lane, 31)

/* ---- atomics ----------------------------------------------------------------------------------------------------------------- */
CUDA_FN_ int atomicAdd(int *p, int v) { return __nvvm_atom_add_gen_i(p, v); }
CUDA_FN_ unsigned atomicAdd(unsigned *p, unsigned v) { return (unsigned)__nvvm_atom_add_gen_i((int *)p, (int)v); }
CUDA_FN_ unsigned long long atomicAdd(unsigned long long *p, unsigned long long v) {
    return (unsigned long long)__nvvm_atom_add_gen_ll((long long *)p, (long long)v);
}
CUDA_FN_ float atomicAdd(float *p, float v) { return __nvvm_atom_add_gen_f(p, v); }
CUDA_FN_ double atomicAdd(double *p, double v) { return __nvvm_atom_add_gen_d(p, v); }
CUDA_FN_ int atomicSub(int *p, int v) { return atomicAdd(p, -v); }
CUDA_FN_ unsigned atomicSub(unsigned *p, unsigned v) { return atomicAdd(p, 0u - v); }
#define CUDA_ATOMIC_(name, op)                                                                                              \
    CUDA_FN_ int name(int *p, int v) { return __nvvm_atom_##op##_gen_i(p, v); }
CUDA_ATOMIC_(atomicMin, min)
CUDA_ATOMIC_(atomicMax, max)
CUDA_ATOMIC_(atomicAnd, and)
CUDA_ATOMIC_(atomicOr, or)
CUDA_ATOMIC_(atomicXor, xor)
CUDA_ATOMIC_(atomicExch, xchg)
CUDA_FN_ unsigned atomicMin(unsigned *p, unsigned v) { return __nvvm_atom_min_gen_ui(p, v); }
CUDA_FN_ unsigned atomicMax(unsigned *p, unsigned v) { return __nvvm_atom_max_gen_ui(p, v); }
CUDA_FN_ long long atomicMin(long long *p, long long v) { return __nvvm_atom_min_gen_ll(p, v); }
CUDA_FN_ long long atomicMax(long long *p, long long v) { return __nvvm_atom_max_gen_ll(p, v); }
CUDA_FN_ unsigned long long atomicMin(unsigned long long *p, unsigned long long v) { return __nvvm_atom_min_gen_ull(p, v); }
CUDA_FN_ unsigned long long atomicMax(unsigned long long *p, unsigned long long v) { return __nvvm_atom_max_gen_ull(p, v); }
CUDA_FN_ unsigned atomicAnd(unsigned *p, unsigned v) { return (unsigned)atomicAnd((int *)p, (int)v); }
CUDA_FN_ unsigned atomicOr(unsigned *p, unsigned v) { return (unsigned)atomicOr((int *)p, (int)v); }
CUDA_FN_ unsigned atomicXor(unsigned *p, unsigned v) { return (unsigned)atomicXor((int *)p, (int)v); }
CUDA_FN_ unsigned atomicExch(unsigned *p, unsigned v) { return (unsigned)atomicExch((int *)p, (int)v); }
CUDA_FN_ float atomicExch(float *p, float v) {
    return __builtin_bit_cast(float, atomicExch((int *)p, __builtin_bit_cast(int, v)));
}
CUDA_FN_ unsigned long long atomicExch(unsigned long long *p, unsigned long long v) {
    return (unsigned long long)__nvvm_atom_xchg_gen_ll((long long *)p, (long long)v);
}
CUDA_FN_ unsigned atomicInc(unsigned *p, unsigned v) { return __nvvm_atom_inc_gen_ui(p, v); }
CUDA_FN_ unsigned atomicDec(unsigned *p, unsigned v) { return __nvvm_atom_dec_gen_ui(p, v); }
CUDA_FN_ int atomicCAS(int *p, int compare, int v) { return __nvvm_atom_cas_gen_i(p, compare, v); }
CUDA_FN_ unsigned atomicCAS(unsigned *p, unsigned compare, unsigned v) {
    return (unsigned)__nvvm_atom_cas_gen_i((int *)p, (int)compare, (int)v);
}
CUDA_FN_ unsigned long long atomicCAS(unsigned long long *p, unsigned long long compare, unsigned long long v) {
    return (unsigned long long)__nvvm_atom_cas_gen_ll((long long *)p, (long long)compare, (long long)v);
}

/* ---- arithmetic ---------------------------------------------------------------------------------------------------------------- */
CUDA_FN_ int __popc(unsigned x) { return __builtin_popcount(x); }
CUDA_FN_ int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CUDA_FN_ int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
CUDA_FN_ int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
CUDA_FN_ int __ffs(int x) { return __builtin_ffs(x); }
CUDA_FN_ int __ffsll(long long x) { return __builtin_ffsll(x); }
CUDA_FN_ unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
CUDA_FN_ int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
CUDA_FN_ float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
CUDA_FN_ unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
CUDA_FN_ float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
CUDA_FN_ long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
CUDA_FN_ double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
#define CUDA_MIN_MAX_(T)                                                                                                    \
    CUDA_FN_ T min(T a, T b) { return b < a ? b : a; }                                                                      \
    CUDA_FN_ T max(T a, T b) { return a < b ? b : a; }
CUDA_MIN_MAX_(int)
CUDA_MIN_MAX_(unsigned)
CUDA_MIN_MAX_(long long)
CUDA_MIN_MAX_(unsigned long long)
CUDA_FN_ float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
CUDA_FN_ float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
CUDA_FN_ double fmin(double a, double b) { return __nvvm_fmin_d(a, b); }
CUDA_FN_ double fmax(double a, double b) { return __nvvm_fmax_d(a, b); }
CUDA_FN_ float min(float a, float b) { return fminf(a, b); }
CUDA_FN_ float max(float a, float b) { return fmaxf(a, b); }
CUDA_FN_ double min(double a, double b) { return fmin(a, b); }
CUDA_FN_ double max(double a, double b) { return fmax(a, b); }
CUDA_FN_ float fabsf(float x) { return __builtin_fabsf(x); }
CUDA_FN_ double fabs(double x) { return __builtin_fabs(x); }
CUDA_FN_ float fmaf(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
CUDA_FN_ double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }
/* Cache operators other than volatile do not affect a load's value. Accesses of 16 bytes are written in asm, so that
 * each is one instruction. Clang would split a struct into two loads, and a vector into four if its elements are used
 * separately. */
template <size_t size, size_t alignment> struct cuda_access_ {
    template <class T> CUDA_FN_ T load(const T *p) { return *p; }
    template <class T> CUDA_FN_ void store(T *p, T x) { *p = x; }
    template <class T> CUDA_FN_ T read_only(const T *p) { return *p; }
};
#define CUDA_READ_ONLY_(size, T_, builtin)                                                                              \
    template <> struct cuda_access_<size, size> : cuda_access_<size, 0> {                                               \
        template <class T> CUDA_FN_ T read_only(const T *p) { return __builtin_bit_cast(T, builtin((const T_ *)p)); }   \
    };
CUDA_READ_ONLY_(1, unsigned char, __nvvm_ldg_uc)
CUDA_READ_ONLY_(2, unsigned short, __nvvm_ldg_us)
CUDA_READ_ONLY_(4, unsigned, __nvvm_ldg_ui)
CUDA_READ_ONLY_(8, unsigned long long, __nvvm_ldg_ull)
template <> struct cuda_access_<16, 16> {
    typedef unsigned bytes __attribute__((ext_vector_type(4)));
    template <class T> CUDA_FN_ T load(const T *p) {
        uint4 x;
        asm volatile("ld.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x.x), "=r"(x.y), "=r"(x.z), "=r"(x.w) : "l"(p) : "memory");
        return __builtin_bit_cast(T, x);
    }
    template <class T> CUDA_FN_ void store(T *p, T y) {
        uint4 x = __builtin_bit_cast(uint4, y);
        asm volatile("st.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(x.x), "r"(x.y), "r"(x.z), "r"(x.w) : "memory");
    }
    template <class T> CUDA_FN_ T read_only(const T *p) { return __builtin_bit_cast(T, __nvvm_ldg_ui4((const bytes *)p)); }
};
#define CUDA_ACCESS_(T) cuda_access_<sizeof(T), alignof(T)>
template <class T> CUDA_FN_ T __ldg(const T *p) { return CUDA_ACCESS_(T)::read_only(p); }
template <class T> CUDA_FN_ T __ldca(const T *p) { return CUDA_ACCESS_(T)::load(p); }
template <class T> CUDA_FN_ T __ldcg(const T *p) { return CUDA_ACCESS_(T)::load(p); }
template <class T> CUDA_FN_ T __ldcs(const T *p) { return CUDA_ACCESS_(T)::load(p); }
template <class T> CUDA_FN_ T __ldlu(const T *p) { return CUDA_ACCESS_(T)::load(p); }
template <class T> CUDA_FN_ T __ldcv(const T *p) {
    asm volatile("" ::: "memory"); // reload: another thread may have changed the value
    return CUDA_ACCESS_(T)::load(p);
}
template <class T> CUDA_FN_ void __stwb(T *p, T x) { CUDA_ACCESS_(T)::store(p, x); }
template <class T> CUDA_FN_ void __stcg(T *p, T x) { CUDA_ACCESS_(T)::store(p, x); }
template <class T> CUDA_FN_ void __stcs(T *p, T x) { CUDA_ACCESS_(T)::store(p, x); }
template <class T> CUDA_FN_ void __stwt(T *p, T x) { CUDA_ACCESS_(T)::store(p, x); }

/* ---- printf and assert ----------------------------------------------------------------------------------------------------------- */
extern "C" __device__ int printf(const char *, ...);
extern "C" __device__ int vprintf(const char *, const char *);
extern "C" __device__ void __assertfail(const char *, const char *, unsigned, const char *, size_t);
#define assert(e) ((e) ? (void)0 : __assertfail(#e, __FILE__, __LINE__, __func__, 1))

#undef CUDA_VECTORS_
#undef CUDA_SHUFFLE_
#undef CUDA_ATOMIC_
#undef CUDA_MIN_MAX_
#undef CUDA_READ_ONLY_
#undef CUDA_ACCESS_
#endif
