/* Communication between threads: shuffles, votes, matches, atomics, fences, barriers. */
__global__ void exchange(int *data, float *floats, double *doubles, unsigned long long *big) {
    const unsigned all = 0xffffffffu, t = threadIdx.x;
    int v = data[t];
    v += __shfl_down_sync(all, v, 16);
    v += __shfl_up_sync(all, v, 8);
    v ^= __shfl_xor_sync(all, v, 4, 16);
    v -= __shfl_sync(all, v, v & 31, 8);
    floats[t] += __shfl_down_sync(all, floats[t], 2);
    doubles[t] += __shfl_xor_sync(all, doubles[t], 1);
    big[t] += __shfl_sync(all, big[t], 0);
    if (__any_sync(all, v > 3)) v++;
    if (__all_sync(all, v > 5)) v += 2;
    v += (int)__ballot_sync(all, v & 1);
    v += __popc(__activemask()) + __clz(v) + __ffs(v) + (int)__brev((unsigned)v);
    v += (int)__match_any_sync(all, v);
    data[t] = v;
    __syncwarp();
    if (__syncthreads_or(v > 100)) data[t] = 1;
    if (__syncthreads_and(v > 100)) data[t] = 2;
    data[t] += __syncthreads_count(v > 100);
}
#ifndef SMALL
__global__ void atomics(int *i, unsigned *u, unsigned long long *l, float *f, double *d) {
    __shared__ unsigned s;
    __shared__ int si;
    const unsigned t = threadIdx.x;
    if (t == 0) s = 0, si = 0;
    __syncthreads();
    atomicAdd(&s, t);
    atomicMin(&si, (int)t);
    u[1] = atomicMax(u, t) + atomicMin(u + 2, t) + atomicAnd(u + 3, t) + atomicOr(u + 4, t) + atomicXor(u + 5, t);
    u[6] = atomicInc(u + 7, 9) + atomicDec(u + 8, 9) + atomicExch(u + 9, t) + atomicCAS(u + 10, t, t + 1);
    i[1] = atomicAdd(i, -1) + atomicMax(i + 2, -7) + atomicMin(i + 3, 7) + atomicSub(i + 4, 2) + atomicExch(i + 5, 3) + atomicCAS(i + 6, 1, 2);
    l[1] = atomicAdd(l, 5ull) + atomicMax(l + 2, 6ull) + atomicMin(l + 3, 7ull) + atomicExch(l + 4, 8ull) + atomicCAS(l + 5, 1ull, 2ull);
    atomicAdd(f, 1.5f);
    atomicAdd(d, 2.5);
    f[1] = atomicExch(f + 2, 1.0f);
    __threadfence();
    __threadfence_block();
    __threadfence_system();
    __syncthreads();
    if (t == 0) u[11] = s + (unsigned)si;
}
#endif
__global__ void last_block(const int *in, int *partial, unsigned *ticket, int *out) {
    __shared__ bool last;
    partial[blockIdx.x] = in[blockIdx.x];
    __threadfence();
    if (threadIdx.x == 0) last = atomicInc(ticket, gridDim.x - 1) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; b++) sum += ((volatile int *)partial)[b];
    if (threadIdx.x == 0) *out = sum;
}
