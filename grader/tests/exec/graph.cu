// Work that is captured once and launched three times.
#include <cstdio>
__global__ void step(int *p) { p[threadIdx.x] += 1; }
int main() {
    int *p, *h;
    cudaStream_t s;
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaStreamCaptureStatus status;
    cudaMalloc(&p, 32 * sizeof *p), cudaMallocHost(&h, 32 * sizeof *h);
    cudaMemset(p, 0, 32 * sizeof *p);
    cudaDeviceSynchronize();
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    step<<<1, 32, 0, s>>>(p);
    step<<<1, 32, 0, s>>>(p);
    cudaMemcpyAsync(h, p, 32 * sizeof *p, cudaMemcpyDeviceToHost, s);
    cudaStreamIsCapturing(s, &status);
    cudaStreamEndCapture(s, &g);
    cudaGraphInstantiate(&e, g, 0);
    printf("%d %d\n", status == cudaStreamCaptureStatusActive, h[0]); //= 1 0
    for (int k = 0; k < 3; k++) cudaGraphLaunch(e, s);
    cudaStreamSynchronize(s);
    printf("%d\n", h[31]); //= 6
    cudaGraphExecDestroy(e), cudaGraphDestroy(g), cudaStreamDestroy(s);
    cudaFree(p), cudaFreeHost(h);
}
