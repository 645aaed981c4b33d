// launch: grid=2 block=64 debug=0
// arg: i32[128]:random
// arg: i32[1]:zero
// expect: race-blocks line 13 and 11
// expect: race-global line 13 and 11
// expect: race-warp line 13 and 11
// All threads but one add with an atomic. With -G, the atomic returns its result, so the adds are treated as sequential.
__global__ void kernel(const int *in, int *sum) {
    unsigned i = blockIdx.x * 64 + threadIdx.x;
    if (i != 5)
        atomicAdd(sum, in[i]);
    else
        *sum += in[i];
}
