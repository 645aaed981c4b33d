__kernel void twin(__global const float *in, __global float *out) {
    __local float s[66];
    uint t = get_local_id(0);
    s[t + 1] = in[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = s[t] + s[t + 1] + s[t + 2];
}
