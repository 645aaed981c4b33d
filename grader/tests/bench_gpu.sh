#!/bin/sh
# bench_gpu.sh SOURCE PROGRAM FOLDER: compiles bench_gpu.cu and the labs' solutions for this machine's GPU, because CUB is tuned per
# architecture. GPU_ARCH (75, 90, ...) selects another architecture.
source=$1 program=$2 dir=$3
mkdir -p "$dir"
for solution in solutions/lab*/reduce.cu; do
    lab=${solution#solutions/}
    cp "$solution" "$dir/${lab%%_*}.cu"
done
arch=${GPU_ARCH:-$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -1 | tr -d .)}
PATH=$PATH:/usr/local/cuda/bin exec nvcc -O3 -std=c++17 -w -arch="sm_${arch:-75}" -default-stream per-thread -Icommon -I"$dir" \
    "$source" -o "$program"
