// launch: grid=1 block=80
// arg: float[64]:zero
// arg: surface 0 float 16x4
// expect: surface-bounds line 7
// says: wrote 4 bytes at x = 0 bytes, y = 4, but it is 64 bytes wide and 4 high
__global__ void kernel(float *, cudaSurfaceObject_t image) {
    surf2Dwrite(1.0f, image, (threadIdx.x % 16) * sizeof(float), threadIdx.x / 16);
}
