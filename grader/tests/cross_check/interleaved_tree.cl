__kernel void twin(__global const float *in, __global float *out, __local float *s) {
    uint t = get_local_id(0), m = get_local_size(0);
    s[t] = in[t];
    s[t + m] = in[t + m];
    for (uint k = 1; k <= m; k *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t % k == 0) s[2 * t] += s[2 * t + k];
    }
    if (t == 0) out[0] = s[0];
}
