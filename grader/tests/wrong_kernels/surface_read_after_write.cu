// launch: grid=1 block=64
// arg: float[64]:ones
// arg: float[64]:out
// arg: surface 0 float 16x4
// expect: texture-after-write line 11 and 9
// Even the thread that wrote the texel may read the old value.
__global__ void kernel(float *, float *out, cudaSurfaceObject_t image) {
    const int x = threadIdx.x % 16 * sizeof(float), y = threadIdx.x / 16;
    surf2Dwrite(2.0f, image, x, y);
    __syncthreads();
    out[threadIdx.x] = surf2Dread<float>(image, x, y);
}
