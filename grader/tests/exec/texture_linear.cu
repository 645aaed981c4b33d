// Textures in linear and pitched memory: out-of-bounds reads, and contents that change between launches.
#include <cstdio>
__global__ void shift(cudaTextureObject_t in, int *out, int n, int by) {
    const int i = threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<int>(in, i + by);
}
__global__ void corners(cudaTextureObject_t in, float2 *out) {
    out[threadIdx.x] = tex2D<float2>(in, threadIdx.x % 2 ? 99 : -99, threadIdx.x / 2 ? 99 : -99);
}
int main() {
    const int n = 40;
    int h[n], *d, *o;
    for (int k = 0; k < n; k++) h[k] = k * k;
    cudaMalloc(&d, sizeof h), cudaMalloc(&o, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaResourceDesc r = {};
    r.resType = cudaResourceTypeLinear, r.res.linear.devPtr = d, r.res.linear.sizeInBytes = sizeof h;
    r.res.linear.desc = cudaCreateChannelDesc<int>();
    cudaTextureDesc how = {};
    cudaTextureObject_t t, u;
    cudaCreateTextureObject(&t, &r, &how, nullptr);
    r.res.linear.devPtr = o;
    cudaCreateTextureObject(&u, &r, &how, nullptr);
    shift<<<1, 64>>>(t, o, n, 2);  // texels 40 and 41 are past the end of the texture, so out[38] and out[39] become 0
    shift<<<1, 64>>>(u, d, n, -1); // reads values that the previous launch wrote; texel -1 is before the start, so d[0] becomes 0
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d\n", h[0], h[1], h[2], h[38], h[39]); //= 0 4 9 1521 0
    float2 *rows, matrix[3][5], out[4];
    size_t pitch;
    for (int k = 0; k < 15; k++) matrix[k / 5][k % 5] = make_float2(k, -k);
    cudaMallocPitch(&rows, &pitch, sizeof matrix[0], 3);
    cudaMemcpy2D(rows, pitch, matrix, sizeof matrix[0], sizeof matrix[0], 3, cudaMemcpyHostToDevice);
    r = {};
    r.resType = cudaResourceTypePitch2D, r.res.pitch2D.devPtr = rows, r.res.pitch2D.pitchInBytes = pitch;
    r.res.pitch2D.width = 5, r.res.pitch2D.height = 3, r.res.pitch2D.desc = cudaCreateChannelDesc<float2>();
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    cudaTextureObject_t v;
    cudaCreateTextureObject(&v, &r, &how, nullptr);
    corners<<<1, 4>>>(v, (float2 *)o);
    cudaMemcpy(out, o, sizeof out, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g\n", out[0].x, out[1].y, out[2].x, out[3].y); //= 0 -4 10 -14
    cudaDestroyTextureObject(t), cudaDestroyTextureObject(u), cudaDestroyTextureObject(v);
    cudaFree(d), cudaFree(o), cudaFree(rows);
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); //= cudaSuccess
}
