__kernel void twin(__global const float *in, __global float *out) {
    __local float s[2][64];
    uint t = get_local_id(0), now = 0;
    s[0][t] = in[t];
    for (uint k = 32; k > 0; k >>= 1, now ^= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        s[now ^ 1][t] = s[now][t] + s[now][t ^ k];
    }
    out[t] = s[now][t];
}
