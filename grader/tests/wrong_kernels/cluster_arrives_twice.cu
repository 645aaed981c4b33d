// The threads arrive a second time without having waited for the first phase.
// launch: grid=2 block=32 cluster=2 arch=90
// arg: float[64]:random
// arg: float[64]:out
// expect: cluster-barrier line 9
// says: again without waiting in between
__global__ void kernel(const float *in, float *out) {
    __cluster_barrier_arrive();
    __cluster_barrier_arrive();
    __cluster_barrier_wait();
    out[blockIdx.x * 32 + threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
}
