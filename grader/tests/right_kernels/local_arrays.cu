// launch: block=32
// arg: float[32]:iota
// arg: float[32]:out
// result: 1[9] = 0
// A private array that is filled before it is read.
__global__ void kernel(const float *in, float *out) {
    float mine[8];
    for (unsigned k = 0; k < 8; k++) mine[(k + threadIdx.x) % 8] = in[k];
    out[threadIdx.x] = mine[threadIdx.x % 8];
}
