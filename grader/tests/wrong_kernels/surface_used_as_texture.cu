// launch: grid=1 block=64
// arg: float[64]:ones
// arg: float[64]:out
// arg: surface 0 float 16x4
// expect: texture-use line 8
// says: used a surface object as a texture object
__global__ void kernel(const float *, float *out, cudaSurfaceObject_t image) {
    out[threadIdx.x] = tex2D<float>(image, threadIdx.x % 16, threadIdx.x / 16);
}
