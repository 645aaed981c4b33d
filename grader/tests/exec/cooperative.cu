// A cooperative launch, whose blocks wait for each other.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void sum(const int *in, int *part, int *out, int n) {
    cg::grid_group grid = cg::this_grid();
    int s = 0;
    for (int i = grid.thread_rank(); i < n; i += grid.size()) s += in[i];
    part[grid.thread_rank()] = s;
    grid.sync();
    if (grid.thread_rank() == 0) {
        int all = 0;
        for (int i = 0; i < (int)grid.size(); i++) all += part[i];
        *out = all;
    }
}
int main() {
    int n = 1000, h[1000], *in, *part, *out, all;
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMalloc(&in, sizeof h), cudaMalloc(&part, 128 * sizeof(int)), cudaMalloc(&out, sizeof(int));
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    void *arguments[] = {&in, &part, &out, &n};
    cudaLaunchCooperativeKernel((void *)sum, 4, 32, arguments, 0, 0);
    cudaMemcpy(&all, out, sizeof all, cudaMemcpyDeviceToHost);
    printf("%d\n", all); //= 499500
    cudaFree(in), cudaFree(part), cudaFree(out);
}
