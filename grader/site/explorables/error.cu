// One thread computes 1 + 1/2 + ... + 1/n in float, in three orders. `error` is the difference between each sum and a
// sum in double. The parameters are in an order that no lab uses, so that the kernels cannot be submitted.
static __device__ void finish(float *sum, float *error, float got, int n) {
    double exact = 0;
#pragma unroll 1
    for (int k = n; k > 0; k--) exact += (double)(1.0f / k);
    sum[0] = got;
    error[0] = (float)(exact - (double)got);
}
static __device__ void fill(float *x, int n) {
#pragma unroll 1
    for (int k = 0; k < n; k++) x[k] = 1.0f / (k + 1);
}
extern "C" __global__ void serial(int n, float *x, float *sum, float *error) {
    if (threadIdx.x) return;
    n = min(n, 4096), fill(x, n);
    float got = 0;
#pragma unroll 1
    for (int k = 0; k < n; k++) got += x[k];
    finish(sum, error, got, n);
}
extern "C" __global__ void interleaved(int n, float *x, float *sum, float *error) {
    if (threadIdx.x) return;
    n = min(n, 4096), fill(x, n);
    for (int stride = 1; stride < n; stride *= 2)
#pragma unroll 1
        for (int k = 0; k < n; k += 2 * stride) x[k] += x[k + stride];
    finish(sum, error, x[0], n);
}
extern "C" __global__ void compacted(int n, float *x, float *sum, float *error) {
    if (threadIdx.x) return;
    n = min(n, 4096), fill(x, n);
    for (int stride = n / 2; stride > 0; stride /= 2)
#pragma unroll 1
        for (int k = 0; k < stride; k++) x[k] += x[k + stride];
    finish(sum, error, x[0], n);
}
