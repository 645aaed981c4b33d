struct record {
    float value, weight;
};
__kernel void twin(__global const float *in, __global float *out) {
    __local struct record s[32];
    uint t = get_local_id(0);
    s[t].value = in[t];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[t] = s[31 - t].value * s[31 - t].weight;
}
