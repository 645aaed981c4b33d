// What there is not is named, and the program ends there.
#include <cstdio>
int main() {
    printf("before\n"); //= before
    cudaTextureObject_t t;
    cudaResourceDesc r = {};
    cudaTextureDesc d = {};
    cudaCreateTextureObject(&t, &r, &d, nullptr);
    printf("after\n");
} //$ 5
