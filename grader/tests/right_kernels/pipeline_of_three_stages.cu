// launch: block=128 arch=90 debug=0
// arg: int[1024]:iota
// arg: int[1024]:out
// result: 1[130] = 253
// A pipeline of libcu++, which invalidates each mbarrier after match.sync.
#include <cooperative_groups.h>
#include <cuda/pipeline>
__global__ void kernel(const int *in, int *out) {
    enum { STAGES = 3, BATCHES = 8, N = 128 };
    auto block = cooperative_groups::this_thread_block();
    __shared__ int staged[STAGES][N];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
    auto pipe = cuda::make_pipeline(block, &state);
    for (int batch = 0, ahead = 0; batch < BATCHES; batch++) {
        for (; ahead < BATCHES && ahead < batch + STAGES; ahead++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, staged[ahead % STAGES], in + ahead * N, sizeof staged[0], pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[batch * N + threadIdx.x] = staged[batch % STAGES][N - 1 - threadIdx.x];
        pipe.consumer_release();
    }
}
