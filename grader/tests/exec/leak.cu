// Memory that is never freed gives a warning: the program's end frees it.
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
