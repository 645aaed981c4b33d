// Products and sums are contracted as on a GPU, even where nvcc emits two instructions. A 32-bit NaN is 0x7fffffff, as
// on a GPU.
#include <cmath>
#include <cstdio>
__global__ void compute(const float *x, const double *y, float *f, double *d, unsigned *bits) {
    const float a = x[0], b = x[1], c = x[2], product = a * b, kept = a * c;
    f[0] = c - a * b, f[1] = a * b - c, f[2] = product - b, f[3] = a * b - b * c;
    f[4] = kept - b, f[5] = kept, f[6] = __fmul_rn(a, b) - c;
    for (int k = 0; k < 3; k++) f[7] -= f[7] * b;
    d[0] = y[2] - y[0] * y[1];
    bits[0] = __float_as_uint(x[3] - x[3]), bits[1] = __float_as_uint(sqrtf(-a));
}
int main() {
    float x[4] = {1.1f, 1.3f, 1.7f, INFINITY}, f[8] = {0, 0, 0, 0, 0, 0, 0, 0.7f}, *in, *out;
    double y[3] = {1.1, 1.3, 1.7}, d, *from, *to;
    unsigned bits[2], *b;
    cudaMalloc(&in, sizeof x), cudaMalloc(&out, sizeof f), cudaMalloc(&from, sizeof y), cudaMalloc(&to, 8);
    cudaMalloc(&b, sizeof bits);
    cudaMemcpy(in, x, sizeof x, cudaMemcpyHostToDevice), cudaMemcpy(from, y, sizeof y, cudaMemcpyHostToDevice);
    cudaMemcpy(out, f, sizeof f, cudaMemcpyHostToDevice);
    compute<<<1, 1>>>(in, from, out, to, b);
    cudaMemcpy(f, out, sizeof f, cudaMemcpyDeviceToHost), cudaMemcpy(&d, to, 8, cudaMemcpyDeviceToHost);
    cudaMemcpy(bits, b, sizeof bits, cudaMemcpyDeviceToHost);
    float loop = 0.7f;
    for (int k = 0; k < 3; k++) loop = fmaf(-loop, x[1], loop);
    volatile float ab = x[0] * x[1], ac = x[0] * x[2], bc = x[1] * x[2];
    printf("%d%d%d%d\n", f[0] == fmaf(-x[0], x[1], x[2]), f[1] == fmaf(x[0], x[1], -x[2]), f[2] == fmaf(x[0], x[1], -x[1]),
           f[3] == fmaf(x[0], x[1], -bc));                                                      //= 1111
    printf("%d%d%d%d\n", f[4] == ac - x[1], f[5] == ac, f[6] == ab - x[2], f[7] == loop);       //= 1111
    printf("%d %x %x\n", d == fma(-y[0], y[1], y[2]), bits[0], bits[1]);                        //= 1 7fffffff 7fffffff
    cudaFree(in), cudaFree(out), cudaFree(from), cudaFree(to), cudaFree(b);
} //$ 0
