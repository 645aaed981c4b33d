// launch: block=1
// arg: i32[2]:out
// expect: out-of-bounds line 8
// The index is a constant, so the address is that of a variable plus a constant.
__global__ void kernel(volatile int *out) {
    __shared__ volatile int pair[2], other[2];
    other[0] = 1, other[1] = 2, pair[0] = 3, pair[1] = 4;
    out[0] = pair[2 + other[0] - other[0]] + pair[*(&other[0] + 1) - 2];
    out[1] = pair[1];
}
