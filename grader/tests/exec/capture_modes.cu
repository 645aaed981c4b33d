// Calls that may wait for the device during a capture, in each capture mode and from another thread; waits and queries of events. The
// errors are those of an H100.
#include <cstdio>
#include <thread>
__global__ void one(int *p) { *p = 1; }
static cudaStream_t s, other;
static cudaEvent_t never, done, inside, old;
static int *p;
static void *v;
typedef int call_t();
static int allocate() { return cudaMalloc(&v, 64); } //! failed-call
static int release() { return cudaFree(nullptr); } //! failed-call
static int query_other() { return cudaStreamQuery(other); } //! failed-call
static int finish_event() { return cudaEventSynchronize(done); } //! failed-call
static int limit() { return cudaDeviceSetLimit(cudaLimitStackSize, 2048); } //! failed-call
static int own() { return cudaMallocAsync(&v, 64, s); }
static int wait_never() { return cudaStreamWaitEvent(s, never); }
static int wait_done() { return cudaStreamWaitEvent(s, done); } //! failed-call
static int wait_old() { return cudaStreamWaitEvent(s, old); } //! failed-call
static int wait_external() { return cudaStreamWaitEvent(s, done, cudaEventWaitExternal); }
static int query_inside() { return cudaEventQuery(inside); } //! failed-call
static int query_old() { return cudaEventQuery(old); } //! failed-call
static int again() { return cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed); } //! failed-call
static void test(const char *name, call_t *call) {
    printf("%s", name);
    for (int k = 0; k < 6; k++) {
        cudaGraph_t g = nullptr;
        int error = -1;
        cudaEventRecord(done, other);
        cudaStreamBeginCapture(s, (cudaStreamCaptureMode)(k / 2));
        one<<<1, 1, 0, s>>>(p);
        cudaEventRecord(inside, s);
        if (k % 2) std::thread([&] { error = call(); }).join();
        else error = call();
        printf(" %d/%d", error, cudaStreamEndCapture(s, &g)); //! failed-call
        if (g) cudaGraphDestroy(g);
        cudaGetLastError();
        if (v) cudaFree(v), v = nullptr;
    }
    puts("");
}
int main() {
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
    cudaMalloc(&p, 4);
    for (cudaEvent_t *e : {&never, &done, &inside, &old}) cudaEventCreate(e);
    cudaGraph_t g;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed);
    one<<<1, 1, 0, s>>>(p), cudaEventRecord(old, s);
    cudaStreamEndCapture(s, &g);
    test("cudaMalloc", allocate);        //= cudaMalloc 900/901 900/901 900/901 0/0 0/0 0/0
    test("cudaFree", release);           //= cudaFree 900/901 900/901 900/901 0/0 0/0 0/0
    test("query other", query_other);    //= query other 900/901 900/901 900/901 0/0 0/0 0/0
    test("finish event", finish_event);  //= finish event 900/901 900/901 900/901 0/0 0/0 0/0
    test("limit", limit);                //= limit 900/901 900/901 900/901 0/0 0/0 0/0
    test("wait never", wait_never);      //= wait never 0/0 0/0 0/0 0/0 0/0 0/0
    test("wait done", wait_done);        //= wait done 905/901 905/901 905/901 905/901 905/901 905/901
    test("wait old", wait_old);          //= wait old 1/901 1/901 1/901 1/901 1/901 1/901
    test("external", wait_external);     //= external 0/0 0/0 0/0 0/0 0/0 0/0
    test("query inside", query_inside);  //= query inside 907/901 907/901 907/901 907/901 907/901 907/901
    test("query old", query_old);        //= query old 1/0 1/0 1/0 1/0 1/0 1/0
    test("again", again);                //= again 401/0 401/0 401/0 401/0 401/0 401/0
    test("own", own);                    //= own 0/0 0/0 0/0 0/0 0/0 0/0
    cudaGraphDestroy(g), cudaFree(p);
    for (cudaEvent_t e : {never, done, inside, old}) cudaEventDestroy(e);
    cudaStreamDestroy(s), cudaStreamDestroy(other);
}
