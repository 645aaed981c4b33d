__kernel void twin(__global const int *in, __global int *out, uint n) {
    int mine[16];
    for (uint k = 0; k < n; k++) mine[k] = in[k + get_local_id(0)];
    int most = 0;
    for (uint k = 0; k < 16; k++) most = max(most, mine[k ^ (n & 3)]);
    out[get_local_id(0)] = most;
}
