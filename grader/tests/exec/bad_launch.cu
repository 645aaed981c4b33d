// Invalid launches, which every GPU rejects.
#include <cstdio>
__global__ void k(int *p) { if (p) *p = 1; }
__global__ void __launch_bounds__(128) small(int *p) { if (p) *p = 1; }
int main() {
    int n = 0;
    k<<<n, 32>>>(nullptr);                 //! bad-launch
    k<<<1, dim3(32, 64)>>>(nullptr);       //! bad-launch
    k<<<1, dim3(1, 1, 65)>>>(nullptr);     //! bad-launch
    k<<<dim3(1, 70000), 32>>>(nullptr);    //! bad-launch
    k<<<1, 32, 1 << 20>>>(nullptr);        //! bad-launch
    small<<<1, 256>>>(nullptr);            //! bad-launch
    k<<<1, 32, 0, (cudaStream_t)0x12345>>>(nullptr); //! bad-handle
    printf("%s\n", cudaGetErrorName(cudaGetLastError())); //= cudaErrorInvalidResourceHandle
} //$ 1
