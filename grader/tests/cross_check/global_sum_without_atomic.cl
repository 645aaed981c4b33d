__kernel void twin(__global const float *in, __global float *sum) {
    sum[0] += in[get_local_id(0)];
}
