/* A structure passed by value. Without optimization, clang takes the address of the parameter. */
struct pair { double weight; int count; };
__device__ __noinline__ double weigh(struct pair p, int n) { return p.weight * n + (&p)->count; }
__global__ void weights(double *out, int n) {
    struct pair p = {1.5, n};
    out[threadIdx.x] = weigh(p, (int)threadIdx.x);
}
