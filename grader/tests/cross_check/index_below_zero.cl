// differs: we tell of the bad address alone, not also of the value found there
__kernel void twin(__global const float *in, __global float *out) {
    int t = get_local_id(0);
    out[t] = in[t] - in[t - 1];
}
