#!/bin/sh
# bench_opencl.sh BUILD: runs the tree kernel of bench_sim on PoCL and Oclgrind, if they are installed, and prints the ratios of the
# simulator's speed to that of PoCL. BUILD/bench_sim.txt must contain the output of bench_sim.
bench=$1/bench_opencl
echo
if ! pkg-config --exists OpenCL; then
    echo "to compare with PoCL and Oclgrind: sudo apt-get install ocl-icd-opencl-dev pocl-opencl-icd oclgrind"
    exit 0
fi
${CC:-cc} -O2 -o "$bench" grader/tests/bench_opencl.c -lOpenCL || exit
echo "the tree kernel in other implementations:"
pocl=$(POCL_DEVICES=basic "$bench" "PoCL, one core, no checks" 20) || exit
echo "$pocl"
"$bench" "PoCL, all cores, no checks" 20
echo "$pocl" | cat "$1/bench_sim.txt" - | awk '
    $1 == "tree" { off = $5; on = $6 }
    /^PoCL/ && off { pocl = $6; printf "simulator / PoCL, one core: no probes %.2f (at least 1.0), all probes %.2f (at least 0.5)\n", off / pocl, on / pocl }'
if command -v oclgrind >/dev/null; then
    oclgrind "$bench" "Oclgrind, no checks" 14
    oclgrind --data-races --uninitialized "$bench" "Oclgrind, races and memory" 12
fi
exit 0
