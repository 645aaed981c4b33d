// launch: grid=1 block=16
// arg: u8[160]:random
// arg: double[16]:out
// expect: misaligned line 7
// Reads a double in the middle of a packed record.
__global__ void kernel(const unsigned char *records, double *out) {
    out[threadIdx.x] = *(const double *)(records + 9 * threadIdx.x);
}
