// Memory that is never freed causes only a warning, because the end of the program frees it.
#include <cstdio>
int *make(int n) {
    int *p;
    cudaMalloc(&p, n); //! leak
    return p;
}
int main() {
    int *m;
    make(10);
    make(20);
    cudaMallocManaged(&m, 4); //! leak
    printf("%d\n", *m); //= 0
}
