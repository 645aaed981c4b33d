// A launch in three dimensions.
#include <cstdio>
__global__ void one(cudaPitchedPtr p) {
    char *row = (char *)p.ptr + p.pitch * (threadIdx.y + p.ysize * threadIdx.z);
    ((int *)row)[threadIdx.x] += threadIdx.z;
}
int main() {
    int in[3][2][4], out[3][2][4];
    for (int k = 0; k < 24; k++) in[0][0][k] = k;
    cudaPitchedPtr d;
    cudaExtent e = make_cudaExtent(4 * sizeof(int), 2, 3);
    cudaMalloc3D(&d, e);
    cudaMemset3D(d, 0, e);
    cudaMemcpy3DParms p = {};
    p.srcPtr = make_cudaPitchedPtr(in, 4 * sizeof(int), 4, 2);
    p.dstPtr = d, p.extent = e, p.kind = cudaMemcpyHostToDevice;
    printf("%d\n", cudaMemcpy3D(&p)); //= 0
    one<<<1, dim3(4, 2, 3)>>>(d);
    cudaMemcpy3DParms q = {};
    q.srcPtr = d, q.dstPtr = make_cudaPitchedPtr(out, 4 * sizeof(int), 4, 2);
    q.extent = e, q.kind = cudaMemcpyDeviceToHost;
    printf("%d\n", cudaMemcpy3D(&q)); //= 0
    printf("%d %d\n", out[0][1][3], out[2][1][3]); //= 7 25
    cudaFree(d.ptr);
}
