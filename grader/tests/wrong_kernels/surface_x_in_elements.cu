// launch: grid=1 block=64
// arg: float[64]:zero
// arg: surface 0 float 16x4
// expect: texture-use line 7
// says: x is in bytes, so multiply it by the size of the type
__global__ void kernel(float *, cudaSurfaceObject_t image) {
    surf2Dwrite(1.0f, image, threadIdx.x % 16, threadIdx.x / 16);
}
