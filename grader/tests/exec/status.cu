// The program fails without a finding.
#include <cstdio>
int main() {
    int n = 0;
    cudaGetDeviceCount(&n);
    printf("%d\n", n); //= 1
    return 3;
} //$ 6
