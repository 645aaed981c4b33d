// Kernels that test a student's own operator (grader/judge/own.c): they generate elements, combine them from left to
// right, and test the laws that an operator must satisfy. They run on the simulator only. The parameters of each kernel
// are pointers followed by two unsigned numbers.
#include "reduce.h"

template <class A, class B> struct own_same_type {
    enum { holds = false };
};
template <class A> struct own_same_type<A, A> {
    enum { holds = true };
};
#define OWN_GIVES(call, type) static_assert(own_same_type<decltype(call), type>::holds, #call " must give a " #type)
static __device__ const value_t &own_any();
OWN_GIVES(combine(own_any(), own_any()), value_t);
OWN_GIVES(identity(), value_t);
OWN_GIVES(element(0u), value_t);
OWN_GIVES(same(own_any(), own_any()), bool);

static __device__ unsigned own_random(unsigned seed, unsigned k) { // splitmix64: Steele, Lea, Flood 2014
    unsigned long long z = ((unsigned long long)seed << 32 | k) + 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return (unsigned)(z >> 32);
}

__global__ void own_size(unsigned *size, unsigned, unsigned) { *size = sizeof(value_t); }

__global__ void own_elements(value_t *to, unsigned n, unsigned seed) {
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n) to[k] = element(own_random(seed, k));
}

// Stores in to[k] the result of the first k elements, combined from left to right; to[0] is identity().
__global__ void own_prefixes(const value_t *in, value_t *to, unsigned n, unsigned) {
    if (threadIdx.x) return;
    value_t x = identity();
    to[0] = x;
    for (unsigned k = 0; k < n; k++) to[k + 1] = x = combine(x, in[k]);
}

__global__ void own_fold(const value_t *in, value_t *to, unsigned n, unsigned) {
    if (threadIdx.x) return;
    value_t x = identity();
    for (unsigned k = 0; k < n; k++) x = combine(x, in[k]);
    *to = x;
}

__global__ void own_equal(const value_t *a, const value_t *b, unsigned *yes, unsigned, unsigned) { *yes = same(*a, *b); }

__global__ void own_print(const value_t *x, unsigned, unsigned) {
    if (!threadIdx.x) print(*x);
}

// Returns value k to test: an element if k < 96, otherwise the result of 1 to 8 adjacent elements.
static __device__ value_t own_pick(const value_t *in, unsigned n, unsigned k) {
    unsigned at = own_random(7, k) % (n - 8), more = k < 96 ? 0 : own_random(8, k) % 8;
    value_t x = in[at];
    for (unsigned e = 1; e <= more; e++) x = combine(x, in[at + e]);
    return x;
}
// Tests the laws on three values per thread. Stores thread k's violations in broken[k], as bits of enum own_law in own.c. Thread `only` stores the
// values to report in sides.
__global__ void own_laws(const value_t *in, unsigned *broken, value_t *sides, unsigned n, unsigned only) {
    unsigned k = blockIdx.x * blockDim.x + threadIdx.x;
    value_t a = own_pick(in, n, 3 * k), b = own_pick(in, n, 3 * k + 1), c = own_pick(in, n, 3 * k + 2);
    value_t ab = combine(a, b), ba = combine(b, a), first = combine(identity(), a), last = combine(a, identity());
    value_t left = combine(ab, c), right = combine(a, combine(b, c));
    broken[k] = !same(a, a) | !same(left, right) << 1 | !same(first, a) << 2 | !same(last, a) << 3 | !same(ab, ba) << 4 | !same(a, b) << 5;
    if (k != only) return;
    sides[0] = a, sides[1] = b, sides[2] = c, sides[3] = first, sides[4] = last, sides[5] = left, sides[6] = right, sides[7] = ab, sides[8] = ba;
}
