// A linear filter enlarges an image of bytes; the host computes the same with the weights of the programming guide, which
// a GPU rounds to integers that add up to 256.
#include <cmath>
#include <cstdio>
enum { WIDTH = 13, HEIGHT = 7, TO_WIDTH = 40, TO_HEIGHT = 24 };
__global__ void resize(cudaTextureObject_t image, float *out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < TO_WIDTH && y < TO_HEIGHT)
        out[y * TO_WIDTH + x] = tex2D<float>(image, (x + 0.5f) / TO_WIDTH, (y + 0.5f) / TO_HEIGHT);
}
static unsigned char image[HEIGHT][WIDTH];
static double texel(int x, int y) {
    x = x < 0 ? 0 : x < WIDTH ? x : WIDTH - 1, y = y < 0 ? 0 : y < HEIGHT ? y : HEIGHT - 1;
    return (float)(image[y][x] / 255.0);
}
static float expected(float u, float v) {
    const double x = (double)u * WIDTH - 0.5, y = (double)v * HEIGHT - 0.5;
    const double a = floor((x - floor(x)) * 256 + 0.5) / 256, b = floor((y - floor(y)) * 256 + 0.5) / 256;
    const int i = (int)floor(x), j = (int)floor(y);
    return (float)((1 - b) * ((1 - a) * texel(i, j) + a * texel(i + 1, j)) +
                   b * ((1 - a) * texel(i, j + 1) + a * texel(i + 1, j + 1)));
}
int main() {
    static float out[TO_HEIGHT][TO_WIDTH];
    float *d;
    for (int k = 0; k < WIDTH * HEIGHT; k++) image[k / WIDTH][k % WIDTH] = (unsigned char)(k * k * 31 + 7 * k);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, WIDTH, HEIGHT);
    cudaMemcpy2DToArray(array, 0, 0, image, WIDTH, WIDTH, HEIGHT, cudaMemcpyHostToDevice);
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray, resource.res.array.array = array;
    cudaTextureDesc how = {};
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = cudaFilterModeLinear, how.readMode = cudaReadModeNormalizedFloat, how.normalizedCoords = 1;
    cudaTextureObject_t texture;
    cudaCreateTextureObject(&texture, &resource, &how, nullptr);
    cudaMalloc(&d, sizeof out);
    resize<<<dim3(3, 3), dim3(16, 8)>>>(texture, d);
    cudaMemcpy(out, d, sizeof out, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < TO_HEIGHT; y++)
        for (int x = 0; x < TO_WIDTH; x++)
            wrong += fabs(out[y][x] - expected((x + 0.5f) / TO_WIDTH, (y + 0.5f) / TO_HEIGHT)) > 1 / 128.f;
    printf("%d wrong, %d\n", wrong, out[0][0] != out[12][20]); //= 0 wrong, 1
    cudaDestroyTextureObject(texture), cudaFreeArray(array), cudaFree(d);
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); //= cudaSuccess
}
