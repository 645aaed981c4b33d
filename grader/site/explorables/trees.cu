// Shows which lanes work in the two trees. Each element counts the levels below it; nothing is summed.
extern "C" __global__ void interleaved(int *levels, int n) {
    for (int stride = 1; stride <= blockDim.x; stride *= 2) {
        const int left = 2 * threadIdx.x, right = left + stride;
        if (threadIdx.x % stride == 0 && right < n) levels[left] = max(levels[left], levels[right]) + 1;
        __syncthreads();
    }
}
extern "C" __global__ void compacted(int *levels, int n) {
    for (int stride = blockDim.x; stride > 0; stride /= 2) {
        const int left = threadIdx.x, right = left + stride;
        if (threadIdx.x < stride && right < n) levels[left] = max(levels[left], levels[right]) + 1;
        __syncthreads();
    }
}
