// launch: grid=1 block=32
// arg: float[64]:const
// arg: float[32]:out
// arg: i32 100000
// expect: out-of-bounds line 9
// The index is computed in int and wraps around.
__global__ void kernel(const float *in, float *out, int pitch) {
    int i = (int)threadIdx.x * pitch * 1000;
    out[threadIdx.x] = in[i];
}
