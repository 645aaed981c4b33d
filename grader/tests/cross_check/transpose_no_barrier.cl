// differs: we tell of the race alone, not also of the value that is not there yet
__kernel void twin(__global const float *in, __global float *out) {
    __local float tile[16][17];
    uint t = get_local_id(0), x = t % 16, y = t / 16;
    tile[y][x] = in[t];
    out[t] = tile[x][y];
}
