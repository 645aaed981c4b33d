// differs: in OpenCL, all work-items must reach a barrier; in PTX, only those that have not exited
__kernel void twin(__global const float *in, __global float *out, uint n, __local float *s) {
    uint t = get_local_id(0);
    if (t >= n) return;
    s[t] = in[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = s[n - 1 - t];
}
