__kernel void twin(__global const float *in, __global float *out) {
    uint t = get_local_id(0);
    if (t < 16) {
        out[t] = in[t];
        barrier(CLK_LOCAL_MEM_FENCE);
    } else {
        out[t] = -in[t];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
