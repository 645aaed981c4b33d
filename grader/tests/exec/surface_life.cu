// Conway's game of life on two surfaces that are swapped between launches, and on the host.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations" /* cudaMemcpyToArray() */
#include <cstdio>
#include <cstring>
#include <utility>
enum { WIDTH = 24, HEIGHT = 16, STEPS = 5 };
__global__ void step(cudaSurfaceObject_t from, cudaSurfaceObject_t to) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int around = 0;
    for (int v = -1; v <= 1; v++)
        for (int u = -1; u <= 1; u++)
            if (u || v) around += surf2Dread<unsigned char>(from, x + u, y + v, cudaBoundaryModeZero);
    const unsigned char lives = surf2Dread<unsigned char>(from, x, y);
    surf2Dwrite((unsigned char)(around == 3 || (around == 2 && lives)), to, x, y);
}
static void on_host(unsigned char world[HEIGHT][WIDTH]) {
    unsigned char next[HEIGHT][WIDTH];
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            int around = 0;
            for (int v = y - 1; v <= y + 1; v++)
                for (int u = x - 1; u <= x + 1; u++)
                    if ((u != x || v != y) && u >= 0 && u < WIDTH && v >= 0 && v < HEIGHT) around += world[v][u];
            next[y][x] = around == 3 || (around == 2 && world[y][x]);
        }
    memcpy(world, next, sizeof next);
}
int main() {
    unsigned char world[HEIGHT][WIDTH], out[HEIGHT][WIDTH];
    for (int k = 0; k < WIDTH * HEIGHT; k++) world[k / WIDTH][k % WIDTH] = k * 2654435761u >> 30 == 0;
    cudaChannelFormatDesc format = cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned), found;
    cudaArray_t array[2];
    cudaSurfaceObject_t surface[2];
    for (int k = 0; k < 2; k++) {
        cudaMallocArray(&array[k], &format, WIDTH, HEIGHT, cudaArraySurfaceLoadStore);
        cudaResourceDesc resource = {};
        resource.resType = cudaResourceTypeArray, resource.res.array.array = array[k];
        cudaCreateSurfaceObject(&surface[k], &resource);
    }
    cudaExtent extent;
    unsigned flags;
    cudaArrayGetInfo(&found, &extent, &flags, array[1]);
    printf("%d %d, %zu %zu %zu, %u\n", found.x, found.y, extent.width, extent.height, extent.depth, flags); //= 8 0, 24 16 0, 2
    cudaMemcpyToArray(array[0], 0, 0, world, sizeof world, cudaMemcpyHostToDevice);
    for (int k = 0; k < STEPS; k++, std::swap(surface[0], surface[1]), std::swap(array[0], array[1])) {
        step<<<dim3(3, 2), dim3(8, 8)>>>(surface[0], surface[1]);
        on_host(world);
    }
    cudaMemcpy2DFromArray(out, WIDTH, array[0], 0, 0, WIDTH, HEIGHT, cudaMemcpyDeviceToHost);
    printf("%d\n", memcmp(out, world, sizeof out)); //= 0
    for (int k = 0; k < 2; k++) cudaDestroySurfaceObject(surface[k]), cudaFreeArray(array[k]);
}
