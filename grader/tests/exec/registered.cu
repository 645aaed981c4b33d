// The program registers memory that it has allocated itself. Kernels and the host access the same words until it is
// unregistered.
#include <cstdio>
#include <cstdlib>
__global__ void twice(int *p, int n) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (i < n) p[i] *= 2;
}
int main() {
    const int n = 5000;
    char *all = (char *)malloc(n * sizeof(int) + 100);
    int *h = (int *)(all + 64), *d, sum = 0; // in the middle of a page
    for (int i = 0; i < n; i++) h[i] = i;
    printf("register %d\n", cudaHostRegister(h, n * sizeof *h, cudaHostRegisterMapped)); //= register 0
    printf("again %d\n", cudaHostRegister(h, n * sizeof *h, cudaHostRegisterMapped));    //= again 712
    printf("device %d\n", cudaHostGetDevicePointer(&d, h, 0));                           //= device 0
    twice<<<20, 256>>>(d, n), cudaDeviceSynchronize();
    printf("%d %d\n", h[1], h[n - 1]); //= 2 9998
    h[1] = 50;
    twice<<<20, 256>>>(d, n), cudaDeviceSynchronize();
    cudaPointerAttributes a;
    cudaPointerGetAttributes(&a, h);
    printf("%d %d %d\n", a.type, a.hostPointer == h, a.devicePointer == d); //= 1 1 1
    printf("unregister %d\n", cudaHostUnregister(h));                       //= unregister 0
    printf("again %d\n", cudaHostUnregister(h));                            //= again 713
    for (int i = 0; i < n; i++) sum += h[i];
    printf("%d %d\n", h[1], sum); //= 100 49990096
    free(all);
    cudaGetLastError();
}
