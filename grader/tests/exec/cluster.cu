// Clusters whose size is given by the launch or the kernel, and a cluster of invalid size. //> 90
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void total(int *out, int add) {
    __shared__ int own;
    cg::cluster_group cluster = cg::this_cluster();
    if (threadIdx.x == 0) own = blockIdx.x + add;
    cluster.sync();
    int sum = 0;
    for (unsigned r = 0; r < cluster.num_blocks(); r++) sum += *cluster.map_shared_rank(&own, r);
    cluster.sync();
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
__global__ void __cluster_dims__(2, 1, 1) pair(int *out) {
    if (threadIdx.x == 0) out[blockIdx.x] = cg::this_cluster().num_blocks();
}
__global__ void early(int *out) {
    __shared__ int own;
    cg::cluster_group cluster = cg::this_cluster();
    own = blockIdx.x;
    cluster.sync();
    out[blockIdx.x] = *cluster.map_shared_rank(&own, cluster.block_rank() ^ 1); //! cluster-left
}
int main() {
    int *out, h[8], able, most, active;
    cudaMalloc(&out, sizeof h);
    cudaLaunchAttribute size;
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = 4, size.val.clusterDim.y = size.val.clusterDim.z = 1;
    cudaLaunchConfig_t c = {};
    c.gridDim = 8, c.blockDim = 64, c.attrs = &size, c.numAttrs = 1;
    cudaDeviceGetAttribute(&able, cudaDevAttrClusterLaunch, 0);
    cudaOccupancyMaxPotentialClusterSize(&most, total, &c);
    cudaOccupancyMaxActiveClusters(&active, total, &c);
    printf("%d %d %d\n", able, most, active > 100); //= 1 8 1
    printf("%d\n", cudaLaunchKernelEx(&c, total, out, 10)); //= 0
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d\n", h[0], h[3], h[4]); //= 46 46 62
    pair<<<8, 32>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", h[0], h[7]); //= 2 2
    size.val.clusterDim.x = 2;
    c.blockDim = 1;
    printf("%d\n", cudaLaunchKernelEx(&c, early, out)); //= 0
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    size.val.clusterDim.x = 3;
    printf("%d\n", cudaLaunchKernelEx(&c, total, out, 0)); //= 912 //! bad-launch
    cudaFree(out);
} //$ 1
