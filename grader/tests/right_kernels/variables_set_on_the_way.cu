// launch: block=64 grid=2
// arg: i32[128]:iota
// arg: i32[128]:zero
// arg: i32 20
// result: 1[0] = 20
// result: 1[127] = 21
// Variables that are set before they are used: a running minimum, the ends of a range, the value of an earlier iteration.
__global__ void kernel(const int *in, int *out, int n) {
    int i = blockIdx.x * 64 + threadIdx.x, least, low, high, earlier, mine, count = 0, sum = 0;
    bool have = false, odd = i & 1;
    if (odd) mine = in[i];
    for (int k = 0; k < n; k++) {
        int v = in[(i + k) % 128];
        if (v % 3 == 0 && (!have || v < least)) least = v, have = true;
        if (v % 2 == 0) {
            if (count++ == 0)
                low = high = v;
            else
                low = v < low ? v : low, high = v > high ? v : high;
        }
        if (k % 2 == 0)
            earlier = v;
        else if (earlier > v)
            sum++;
        if (odd && mine > 200) sum += k;
    }
    if (have) sum += least % 3;
    out[i] = sum + (count ? (high - low + 1) % 128 + 1 : 0) + n % 2;
}
