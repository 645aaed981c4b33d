__kernel void twin(__global const int *in, __global int *sum) {
    uint i = get_global_id(0);
    if (get_group_id(0) == 0)
        atomic_add(sum, in[i]);
    else if (get_local_id(0) == 0)
        *sum += in[i];
}
