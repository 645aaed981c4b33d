/* Mathematical functions and conversions. For nvcc only. */
__global__ void mathematics(float *f, double *d, int *i, unsigned *u, long long *l) {
    const unsigned t = threadIdx.x;
    f[t] = sinf(f[t]) + expf(f[t + 1]) + logf(f[t + 2]) + sqrtf(f[t + 3]) + powf(f[t], 1.5f) + rsqrtf(f[t + 4]);
    f[t + 5] = __fdividef(f[t], f[t + 1]) + __expf(f[t]) + __logf(f[t]) + __sinf(f[t]) + __cosf(f[t]) + tanhf(f[t]) + floorf(f[t]) + rintf(f[t]);
    f[t + 6] = fminf(f[t], f[t + 1]) * fmaxf(f[t], 2.0f) + copysignf(1.0f, f[t]) + fabsf(f[t]) + (isnan(f[t]) ? 1.0f : 0.0f) + __saturatef(f[t]);
    d[t] = sqrt(d[t]) + fmin(d[t], d[t + 1]) + d[t] / d[t + 2] + exp(d[t]) + trunc(d[t]) + fma(d[t], d[t + 1], 2.0);
    i[t] = __mulhi(i[t], i[t + 1]) + min(i[t], 5) + abs(i[t]) + __float2int_rn(f[t]) + __double2int_rz(d[t]) + __float_as_int(f[t]) + __mul24(i[t], 3);
    u[t] = __byte_perm(u[t], u[t + 1], 0x1234) + __funnelshift_l(u[t], u[t + 1], 7) + __umulhi(u[t], 3) + __sad(i[t], 3, u[t]) + __brev(u[t]) + __popcll((unsigned long long)l[t]);
    l[t] = __mul64hi(l[t], l[t + 1]) + l[t] / 7 + llrint(d[t]) + (l[t] > 5 ? -l[t] : l[t]) + (long long)clock64() + (short)i[t] + (signed char)u[t];
}
