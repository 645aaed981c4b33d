// No findings in the headers of Thrust and CUB, although partial tiles copy uninitialized elements and in-place algorithms overwrite elements that other blocks have read.
#include <cstdio>
#include <cub/device/device_reduce.cuh>
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/unique.h>
int main() {
    thrust::device_vector<int> keys(5000), values(5000);
    for (int k = 0; k < 50; k++) keys[k] = k * 37 % 50;
    thrust::sort_by_key(keys.begin(), keys.end(), values.begin());
    int *sum, h;
    void *room = nullptr;
    size_t bytes = 0;
    cudaMalloc(&sum, sizeof *sum);
    for (int k = 0; k < 2; k++) {
        if (k) cudaMalloc(&room, bytes);
        cub::DeviceReduce::Sum(room, bytes, thrust::raw_pointer_cast(keys.data()), sum, 5000);
    }
    cudaMemcpy(&h, sum, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d\n", (int)keys[4999], h); //= 49 1225
    thrust::device_vector<int> runs(3000);
    for (int k = 0; k < 3000; k += 3) runs[k] = k;
    printf("%d\n", (int)(thrust::unique(runs.begin(), runs.end()) - runs.begin())); //= 1999
    cudaFree(sum), cudaFree(room);
}
