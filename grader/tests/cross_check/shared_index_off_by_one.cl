// differs: the simulator reports only the invalid address, not the use of the value read there
__kernel void twin(__global const float *in, __global float *out) {
    __local float s[64];
    uint t = get_local_id(0);
    s[t] = in[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = s[t] + s[t + 1];
}
