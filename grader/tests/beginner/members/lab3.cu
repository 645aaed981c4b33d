#include "reduce.h"
template <typename T> class SharedTile {
public:
    __device__ SharedTile(T *storage, unsigned thread) : storage_(storage), thread_(thread) {}
    __device__ void put(unsigned slot, T value) { storage_[slot] = value; }
    __device__ T get(unsigned slot) const { return storage_[slot]; }
    __device__ void fold(unsigned distance) {
        if (thread_ < distance) storage_[thread_] = combine(storage_[thread_], storage_[thread_ + distance]);
    }
    __device__ T reduce_all(unsigned width) {
        for (unsigned distance = width; distance > 0; distance /= 2) {
            fold(distance);
            __syncthreads();
        }
        return get(0);
    }
private:
    T *storage_;
    unsigned thread_;
};
struct Segment {
    const value_t *in;
    unsigned start, n;
    __device__ value_t at(unsigned offset) const {
        unsigned index = start + offset;
        if (index >= n) return identity();
        return in[index];
    }
};
__global__ void reduce(const value_t *in, value_t *partial, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x;
    Segment segment = {in, 2 * blockDim.x * blockIdx.x, n};
    SharedTile<value_t> tile(s, t);
    tile.put(t, segment.at(t));
    tile.put(t + blockDim.x, segment.at(t + blockDim.x));
    __syncthreads();
    value_t result = tile.reduce_all(blockDim.x);
    if (t == 0) partial[blockIdx.x] = result;
}
__global__ void reduce_one_block(const value_t *in, value_t *out, unsigned n) {
    extern __shared__ value_t s[];
    unsigned t = threadIdx.x;
    value_t sum = identity();
    for (unsigned i = t; i < n; i += blockDim.x) sum = combine(sum, in[i]);
    SharedTile<value_t> tile(s, t);
    tile.put(t, sum);
    __syncthreads();
    value_t result = tile.reduce_all(blockDim.x / 2);
    if (t == 0) out[0] = result;
}
