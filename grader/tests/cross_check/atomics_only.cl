__kernel void twin(__global const uint *in, __global uint *sum) {
    __local uint s;
    if (get_local_id(0) == 0) s = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&s, in[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) atomic_add(sum, s);
}
