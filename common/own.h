// Overloads the warp shuffles for structs, 4 bytes at a time, for a student's own operator (docs/own-operator.md).
using ::__shfl_down_sync;
using ::__shfl_sync;
using ::__shfl_up_sync;
using ::__shfl_xor_sync;
template <bool> struct own_only_if {};
template <> struct own_only_if<true> {
    typedef int holds;
};
#define OWN_SHUFFLE(name, argument)                                                                                           \
    template <class T, typename own_only_if<__is_class(T)>::holds = 0>                                                        \
    static __device__ __forceinline__ T name(unsigned mask, T x, argument, int width = 32) {                                  \
        static_assert(sizeof(T) % 4 == 0, "the size of a struct in a shuffle must be a multiple of 4 bytes");                 \
        unsigned word[sizeof(T) / 4];                                                                                         \
        __builtin_memcpy(word, &x, sizeof(T));                                                                                \
        for (unsigned k = 0; k < sizeof(T) / 4; k++) word[k] = ::name(mask, word[k], lane, width);                            \
        __builtin_memcpy(&x, word, sizeof(T));                                                                                \
        return x;                                                                                                             \
    }
OWN_SHUFFLE(__shfl_sync, int lane)
OWN_SHUFFLE(__shfl_up_sync, unsigned lane)
OWN_SHUFFLE(__shfl_down_sync, unsigned lane)
OWN_SHUFFLE(__shfl_xor_sync, int lane)
#undef OWN_SHUFFLE
