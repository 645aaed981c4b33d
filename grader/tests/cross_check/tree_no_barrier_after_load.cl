// differs: the simulator reports only the race, not the read of a value that has not been written
__kernel void twin(__global const float *in, __global float *out, __local float *s) {
    uint t = get_local_id(0);
    s[t] = in[t];
    for (uint k = get_local_size(0) / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0) out[0] = s[0];
}
