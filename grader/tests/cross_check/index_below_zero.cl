// differs: the simulator reports only the invalid address, not the use of the value read there
__kernel void twin(__global const float *in, __global float *out) {
    int t = get_local_id(0);
    out[t] = in[t] - in[t - 1];
}
