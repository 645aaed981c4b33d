// launch: block=64
// arg: i32[64]:iota
// arg: i32[64]:out
// result: 1[5] = 7
// result: 1[60] = 62
// Objects with members that are not set yet, with bit-fields or without members are passed by value.
struct plus {
    __device__ int operator()(int a, int b) const { return a + b; }
};
struct state {
    int value, unused;
    unsigned small : 3, large : 29;
};
template <typename Op> __device__ __noinline__ state step(state s, Op op) {
    s.large = 2;
    s.value = op(s.value, s.large - s.small);
    return s;
}
__global__ void kernel(const int *in, int *out) {
    state s;
    s.value = in[threadIdx.x];
    s.small = 1;
    state next = s;
    for (int k = 0; k < 2; k++) next = step(next, plus());
    out[threadIdx.x] = next.value;
}
