// Memory that both host and device access.
#include <cstdio>
__managed__ int total;
__managed__ float weights[3] = {1, 2, 3};
struct node {
    int value;
    node *next;
};
__global__ void sum(const node *n) {
    for (; n; n = n->next) total += n->value;
    weights[1] *= 2;
}
int main() {
    node *n;
    cudaMallocManaged(&n, 3 * sizeof *n);
    for (int i = 0; i < 3; i++) n[i] = {i + 1, i < 2 ? &n[i + 1] : nullptr};
    total = 10;
    cudaMemPrefetchAsync(n, 3 * sizeof *n, {cudaMemLocationTypeDevice, 0}, 0, 0);
    sum<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    printf("%d %g\n", total, weights[1]); //= 16 4
    n[0].value = 4;
    sum<<<1, 1>>>(n);
    cudaDeviceSynchronize();
    printf("%d %g\n", total, weights[1]); //= 25 8
    cudaFree(n);
}
