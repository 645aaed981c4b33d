// launch: grid=1 block=32
// arg: i32[32]:random
// arg: u32[32]:zero
// expect: sync-missing-lane line 12 and 9
// The mask names all lanes, but only those with a large value vote.
__global__ void kernel(const int *in, unsigned *out) {
    unsigned votes = 0;
    if (in[threadIdx.x] > 8) {
        votes = __ballot_sync(0xffffffff, in[threadIdx.x] & 1);
        out[threadIdx.x] = votes;
    }
    __syncwarp();
    out[threadIdx.x] += 1;
}
