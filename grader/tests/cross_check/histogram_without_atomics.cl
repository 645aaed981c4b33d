__kernel void twin(__global const float *in, __global float *out) {
    __local float bins[32];
    uint t = get_local_id(0);
    if (t < 32) bins[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    bins[t % 32] += in[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t < 32) out[t] = bins[t];
}
