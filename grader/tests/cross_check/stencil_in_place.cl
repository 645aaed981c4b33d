__kernel void twin(__global const float *in, __global float *out) {
    __local float s[65];
    uint t = get_local_id(0);
    s[t] = in[t];
    if (t == 0) s[64] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[t] = s[t] + s[t + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = s[t];
}
