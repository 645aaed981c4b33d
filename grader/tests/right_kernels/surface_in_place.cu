// launch: grid=2 block=64
// arg: u8[128]:ones
// arg: surface 0 u8 32x4
// result: 0[5] = 3
// result: 0[127] = 3
// Each thread reads and then writes its own texel; out-of-bounds writes are dropped.
__global__ void kernel(unsigned char *, cudaSurfaceObject_t image) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, x = i % 32, y = i / 32;
    const unsigned char old = surf2Dread<unsigned char>(image, x, y);
    surf2Dwrite((unsigned char)(old + 2), image, x, y);
    surf2Dwrite((unsigned char)9, image, x + 32, y, cudaBoundaryModeZero);
}
