// Each thread loads `rounds` words (at most 64) of global memory and keeps LOADS of them in flight. The
// parameters are in an order that no lab uses, so that the kernels cannot be submitted.
template <int LOADS> static __device__ void load(int rounds, const int *in, int *out) {
    const int step = gridDim.x * blockDim.x;
    int at = blockIdx.x * blockDim.x + threadIdx.x, bits = 0;
#pragma unroll 1
    for (int round = 0; round < min(rounds, 64); round += LOADS) {
        int word[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++) word[k] = in[at + k * step];
#pragma unroll
        for (int k = 0; k < LOADS; k++) bits ^= word[k];
        at += LOADS * step;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = bits;
}
extern "C" __global__ void load1(int rounds, const int *in, int *out) { load<1>(rounds, in, out); }
extern "C" __global__ void load2(int rounds, const int *in, int *out) { load<2>(rounds, in, out); }
extern "C" __global__ void load4(int rounds, const int *in, int *out) { load<4>(rounds, in, out); }
extern "C" __global__ void load8(int rounds, const int *in, int *out) { load<8>(rounds, in, out); }
