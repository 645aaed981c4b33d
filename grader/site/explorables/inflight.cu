// Each thread loads words of global memory, LOADS of them before it uses the first; 64 at most.
template <int LOADS> static __device__ void load(const int *in, int *out, int rounds) {
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
extern "C" __global__ void load1(const int *in, int *out, int rounds) { load<1>(in, out, rounds); }
extern "C" __global__ void load2(const int *in, int *out, int rounds) { load<2>(in, out, rounds); }
extern "C" __global__ void load4(const int *in, int *out, int rounds) { load<4>(in, out, rounds); }
extern "C" __global__ void load8(const int *in, int *out, int rounds) { load<8>(in, out, rounds); }
