// launch: block=64
// arg: u32[64]:random
// arg: float[64]:out
// arg: surface 0 u8 16x4
// arg: texture 0 u8 16x4
// expect: texture-after-write line 12 and 10
// A texture reads the texels that the surface has just written.
__global__ void kernel(const unsigned *in, float *out, cudaSurfaceObject_t to, cudaTextureObject_t from) {
    const int x = threadIdx.x % 16, y = threadIdx.x / 16;
    surf2Dwrite((unsigned char)(x + y), to, x, y);
    __syncthreads();
    out[threadIdx.x] = tex2D<unsigned char>(from, 15 - x, y);
}
