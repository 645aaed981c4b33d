// A call of a missing function ends the program with a message that contains the function's name.
#include <cstdio>
int main() {
    printf("before\n"); //= before
    cudaArray_t plane;
    cudaArrayGetPlane(&plane, NULL, 0);
    printf("after\n");
} //$ 5
