// Attributes of pointers.
#include <cstdio>
int main() {
    int *d, *m, *h, local;
    cudaPointerAttributes a;
    cudaMalloc(&d, 400), cudaMallocManaged(&m, 400), cudaMallocHost(&h, 400);
    int *all[] = {d + 5, m, h + 99, &local};
    for (int *p : all) {
        cudaPointerGetAttributes(&a, p);
        printf("%d %d %d\n", a.type, a.devicePointer == p, a.hostPointer == p);
    }
    //= 2 1 0
    //= 3 1 1
    //= 1 1 1
    //= 0 0 0
    cudaFree(d), cudaFree(m), cudaFreeHost(h);
}
