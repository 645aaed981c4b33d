__kernel void twin(__global const float *in, __global float *out, __local float *s) {
    uint t = get_local_id(0);
    s[t] = in[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 64; k > 0; k /= 2)
        if (t < k) {
            s[t] += s[t + k];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    if (t == 0) *out = s[0];
}
