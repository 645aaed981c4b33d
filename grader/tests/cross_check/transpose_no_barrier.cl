// differs: the simulator reports only the race, not the read of a value that has not been written
__kernel void twin(__global const float *in, __global float *out) {
    __local float tile[16][17];
    uint t = get_local_id(0), x = t % 16, y = t / 16;
    tile[y][x] = in[t];
    out[t] = tile[x][y];
}
