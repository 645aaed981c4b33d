/* NVRTC reads no host headers. This file has what nvcc takes from them: gcc's built-ins, the constants that nvcc
 * defines without any #include, and the most common headers. It is included before the kernel. compile/nvrtc.c supplies
 * headers such as <float.h>: they define CUDA_NVRTC_FLOAT or the like, and include this file again for that header's
 * declarations. Values and types are those of 64-bit Linux. */
#ifndef CUDA_NVRTC_H
#define CUDA_NVRTC_H
#define __builtin_huge_valf() __builtin_bit_cast(float, 0x7f800000)
#define __builtin_huge_val() __builtin_bit_cast(double, 0x7ff0000000000000ll)
#define __builtin_inff() __builtin_huge_valf()
#define __builtin_inf() __builtin_huge_val()
#define __builtin_nanf(text) __builtin_bit_cast(float, 0x7fc00000)
#define __builtin_nan(text) __builtin_bit_cast(double, 0x7ff8000000000000ll)
#define __builtin_memcpy memcpy
#define __builtin_popcount(x) __popc(x)
#define __builtin_popcountll(x) __popcll(x)

/* limits.h */
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-SCHAR_MAX - 1)
#define UCHAR_MAX 255
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#define SHRT_MAX 32767
#define SHRT_MIN (-SHRT_MAX - 1)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MAX 9223372036854775807LL
#define LLONG_MIN (-LLONG_MAX - 1LL)
#define ULLONG_MAX 18446744073709551615ULL

/* math.h */
#define HUGE_VALF __builtin_huge_valf()
#define HUGE_VAL __builtin_huge_val()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_E 2.7182818284590452354
#define M_PI 3.14159265358979323846
#define M_SQRT2 1.41421356237309504880
#endif

#if defined CUDA_NVRTC_FLOAT && !defined FLT_MAX
#define FLT_RADIX 2
#define FLT_MANT_DIG 24
#define FLT_DIG 6
#define FLT_MAX_EXP 128
#define FLT_MIN_EXP (-125)
#define FLT_MAX 3.40282346638528859811704183484516925e+38F
#define FLT_MIN 1.17549435082228750796873653722224568e-38F
#define FLT_TRUE_MIN 1.40129846432481707092372958328991613e-45F
#define FLT_EPSILON 1.19209289550781250000000000000000000e-7F
#define DBL_MANT_DIG 53
#define DBL_DIG 15
#define DBL_MAX_EXP 1024
#define DBL_MIN_EXP (-1021)
#define DBL_MAX ((double)1.79769313486231570814527423731704357e+308)
#define DBL_MIN ((double)2.22507385850720138309023271733240406e-308)
#define DBL_TRUE_MIN ((double)4.94065645841246544176568792868221372e-324)
#define DBL_EPSILON ((double)2.22044604925031308084726333618164062e-16)
#endif

#if defined CUDA_NVRTC_STDINT && !defined INT8_MAX
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define UINT16_MAX 65535
#define INT32_MAX INT_MAX
#define INT32_MIN INT_MIN
#define UINT32_MAX UINT_MAX
#define INT64_MAX LONG_MAX
#define INT64_MIN LONG_MIN
#define UINT64_MAX ULONG_MAX
#define INTPTR_MAX LONG_MAX
#define INTPTR_MIN LONG_MIN
#define UINTPTR_MAX ULONG_MAX
#define SIZE_MAX ULONG_MAX
#endif
