// Copies of rows with a pitch.
#include <cstdio>
__global__ void scale(float *p, size_t pitch, int width, int height) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x < width && y < height) ((float *)((char *)p + y * pitch))[x] += 10 * y;
}
int main() {
    const int width = 5, height = 4;
    float in[height][width], out[height][width + 1] = {{0}}, *d;
    size_t pitch;
    for (int k = 0; k < width * height; k++) in[k / width][k % width] = k % width;
    cudaMallocPitch(&d, &pitch, width * sizeof *d, height);
    cudaMemset2D(d, pitch, 0, width * sizeof *d, height);
    cudaMemcpy2D(d, pitch, in, sizeof in[0], width * sizeof *d, height, cudaMemcpyHostToDevice);
    scale<<<1, dim3(8, 8)>>>(d, pitch, width, height);
    cudaMemcpy2D(out, sizeof out[0], d, pitch, width * sizeof *d, height, cudaMemcpyDeviceToHost);
    printf("%g %g %g %d\n", out[0][4], out[3][4], out[3][5], pitch % 32 == 0); //= 4 34 0 1
    cudaFree(d);

    // a matrix of more than 1 GiB
    const size_t row = 1 << 20, rows = 1025;
    char *large = new char[row * rows](), *back, last[2] = "?";
    large[row * rows - 1] = '!';
    cudaMalloc(&back, row * rows);
    cudaMemcpy2D(back, row, large, row, row, rows, cudaMemcpyHostToDevice);
    cudaMemcpy2D(last, 1, back + row - 1 + row * (rows - 1), row, 1, 1, cudaMemcpyDeviceToHost);
    printf("%s\n", last); //= !
    cudaFree(back);
    delete[] large;
}
