/* Runs the tree kernel of bench_tree.cu on the first OpenCL implementation that the loader finds. This is PoCL, or
 * Oclgrind if the program runs under it. `bench_opencl NAME LOG2_N` prints NAME, which describes the configuration,
 * and the throughput of the best of 7 runs, in millions of elements per second. `make bench-sim` builds this program
 * where OpenCL is installed. */
#define CL_TARGET_OPENCL_VERSION 120
#include "../base/clock.h"
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 256, REPEATS = 7 };
static const char *source =
    "__kernel void tree(__global const float *in, __global float *out, uint n, __local float *s) {\n"
    "    uint t = get_local_id(0), i = get_global_id(0);\n"
    "    s[t] = i < n ? in[i] : 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint k = get_local_size(0) / 2; k; k >>= 1) {\n"
    "        if (t < k) s[t] += s[t + k];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    if (!t) out[get_group_id(0)] = s[0];\n"
    "}\n";

static void must(cl_int status, const char *what) {
    if (status == CL_SUCCESS) return;
    fprintf(stderr, "bench_opencl: %s: error %d\n", what, (int)status);
    exit(1);
}

int main(int argc, char **argv) {
    if (argc < 3) return fprintf(stderr, "usage: bench_opencl NAME LOG2_N\n"), 2;
    const cl_uint n = 1u << atoi(argv[2]);
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    must(clGetPlatformIDs(1, &platform, NULL), "no platform");
    must(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "no device");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status, "context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    must(status, "queue");
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &status);
    must(status, "program");
    must(clBuildProgram(program, 1, &device, "", NULL, NULL), "build");
    cl_kernel kernel = clCreateKernel(program, "tree", &status);
    must(status, "kernel");
    float *x = calloc(n, sizeof *x), *y = calloc(n / BLOCK, sizeof *y);
    double expected = 0, got = 0, best = 1e9;
    for (cl_uint k = 0; k < n; k++) expected += x[k] = (float)(k * 2654435761u >> 28);
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, n * sizeof *x, x, &status);
    must(status, "input");
    cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, n / BLOCK * sizeof *y, NULL, &status);
    must(status, "output");
    must(clSetKernelArg(kernel, 0, sizeof in, &in), "argument 0");
    must(clSetKernelArg(kernel, 1, sizeof out, &out), "argument 1");
    must(clSetKernelArg(kernel, 2, sizeof n, &n), "argument 2");
    must(clSetKernelArg(kernel, 3, BLOCK * sizeof *x, NULL), "argument 3");
    for (int k = 0; k <= REPEATS; k++) { /* run 0 also compiles the kernel */
        const size_t global = n, local = BLOCK;
        const double start = clock_seconds();
        must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "launch");
        must(clFinish(queue), "run");
        const double seconds = clock_seconds() - start;
        if (k && seconds < best) best = seconds;
    }
    must(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, n / BLOCK * sizeof *y, y, 0, NULL, NULL), "read");
    for (cl_uint k = 0; k < n / BLOCK; k++) got += y[k];
    if (got != expected) return fprintf(stderr, "bench_opencl: sum %g, expected %g\n", got, expected), 1;
    printf("%-28s %12.2f M elements/s (n = 2^%s)\n", argv[1], 1e-6 * n / best, argv[2]);
    free(x);
    free(y);
    return 0;
}
