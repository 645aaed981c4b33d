__kernel void twin(__global const float *in, __global float *out) {
    __local float s[128];
    uint t = get_local_id(0);
    s[t] = in[t];
    if (t / 32 % 2) {
        s[t] *= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[t] = s[t];
    } else {
        s[t] += 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        out[t] = -s[t];
    }
}
