// One step of a warp: each of the first `lanes` lanes reads the word 8 places after its own word, and then writes its
// own word, with or without a wait in between. `read` records the values read.
extern "C" __global__ void trap(int lanes, int wait, int *read, int *after) {
    __shared__ volatile int word[32];
    const int lane = threadIdx.x;
    word[lane] = lane + 1;
    __syncwarp();
    if (lane < lanes) {
        const int other = word[lane + 8], own = word[lane];
        read[lane] = other;
        if (wait) __syncwarp((1 << lanes) - 1);
        word[lane] = own + other;
    }
    __syncwarp();
    after[lane] = word[lane];
}
