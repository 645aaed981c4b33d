// launch: grid=4 block=32
// arg: u32[1]:zero
// arg: u32[4]:out
// expect: race-blocks line 8 and 9
// Block 0 clears the ticket counter, possibly after other blocks have drawn from it.
__global__ void kernel(unsigned *tickets, unsigned *out) {
    if (threadIdx.x == 0) {
        if (blockIdx.x == 0) *tickets = 0;
        out[blockIdx.x] = atomicAdd(tickets, 1);
    }
}
