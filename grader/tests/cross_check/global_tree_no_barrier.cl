__kernel void twin(__global float *data, __global float *out) {
    uint t = get_local_id(0);
    for (uint k = 64; k >= 32; k >>= 1)
        if (t < k) data[t] += data[t + k];
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (t == 0) out[0] = data[0];
}
