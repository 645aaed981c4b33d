// launch: grid=2 block=64
// arg: u32[128]:iota
// arg: u32[2]:zero
// result: 1[0] = 6048
// result: 1[1] = 18336
// Each thread keeps its elements in a list on the heap, adds them up and frees them.
struct node {
    unsigned value;
    node *next;
};
__global__ void kernel(const unsigned *in, unsigned *out) {
    node *first = nullptr;
    for (unsigned k = 0; k < 3; k++) first = new node{in[64 * blockIdx.x + threadIdx.x], first};
    unsigned sum = 0;
    while (first) {
        node *next = first->next;
        sum += first->value;
        delete first;
        first = next;
    }
    atomicAdd(&out[blockIdx.x], sum);
}
