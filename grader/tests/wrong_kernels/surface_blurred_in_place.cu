// launch: grid=1 block=64
// arg: float[64]:iota
// arg: surface 0 float 16x4
// expect: race-global line 9 and 10
// expect: race-warp line 9 and 10
__global__ void kernel(float *, cudaSurfaceObject_t image) {
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    float left, up;
    left = surf2Dread<float>(image, (x ^ 1) * sizeof(float), y), up = surf2Dread<float>(image, x * sizeof(float), y ^ 2);
    surf2Dwrite((left + up) / 2, image, x * sizeof(float), y);
}
