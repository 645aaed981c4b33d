__kernel void twin(__global const float *in, __global float *out, __local float *s) {
    uint t = get_local_id(0);
    s[t] = in[t];
    for (uint k = get_local_size(0) / 2; k > 0; k >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < k) s[t] += s[t + k];
    }
    if (t == 0) out[0] = s[0];
}
