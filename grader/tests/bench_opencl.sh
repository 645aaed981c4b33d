#!/bin/sh
# The tree kernel of bench_sim on PoCL and Oclgrind, if installed: bench_opencl.sh BUILD
bench=$1/bench_opencl
echo
if ! pkg-config --exists OpenCL; then
    echo "to see PoCL and Oclgrind beside it: sudo apt-get install ocl-icd-opencl-dev pocl-opencl-icd oclgrind"
    exit 0
fi
${CC:-cc} -O2 -o "$bench" grader/tests/bench_opencl.c -lOpenCL || exit
echo "the tree kernel elsewhere:"
POCL_DEVICES=basic "$bench" "PoCL, one core, no checks" 20
"$bench" "PoCL, all cores, no checks" 20
if command -v oclgrind >/dev/null; then
    oclgrind "$bench" "Oclgrind, no checks" 14
    oclgrind --data-races --uninitialized "$bench" "Oclgrind, races and memory" 12
fi
exit 0
