#!/bin/sh
# Compiles sources/*.cu and the solutions of labs 1 to 3 with nvcc and clang into corpus/, if these are installed.
# The texts are kept in the repository, so that the tests need no compiler; run this after a change of the sources.
cd "$(dirname "$0")" || exit 1
root=../../..
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
mkdir -p corpus

# Removes the folders of .file lines, and debug sections.
tidy() { # tidy FILE
    awk '/^[ \t]*\.section[ \t]+\.debug/ { skip = 1 }
         skip { if (/}/) skip = 0; next }
         /^[ \t]*\.file[ \t]/ { sub(/"[^"]*\//, "\"") }
         { print }' "$1" >"$1.tmp" && mv "$1.tmp" "$1"
}
of_nvcc() { # of_nvcc NAME SOURCE ARCH OPTIONS...
    name=$1 source=$2 arch=$3
    shift 3
    "$nvcc" -ptx -arch="compute_$arch" -I$root/common -Xcudafe --diag_suppress=177 "$@" "$source" -o "corpus/$name.ptx" || exit 1
    tidy "corpus/$name.ptx"
}
of_clang() { # of_clang NAME SOURCE OPTIONS...
    name=$1 source=$2
    shift 2
    clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_75 -Xclang -target-feature -Xclang +ptx70 -S \
        -I$root/common -include cuda_clang.h "$@" "$source" -o "corpus/$name.ptx" || exit 1
    tidy "corpus/$name.ptx"
}

if [ -x "$nvcc" ]; then
    for k in 1:SUM:I32 2:MIN:F64 3:PRODUCT:F32 3:MAX:U32; do
        lab=${k%%:*} rest=${k#*:}
        define="-DSOLUTION -DREDUCE_OP=REDUCE_${rest%:*} -DREDUCE_TYPE=REDUCE_${rest#*:}"
        of_nvcc "lab$lab-${rest%:*}-${rest#*:}-nvcc" "$(echo $root/solutions/lab"$lab"_*/reduce.cu)" 75 -lineinfo $define
    done
    of_nvcc lab3-g-nvcc "$(echo $root/solutions/lab3_*/reduce.cu)" 90 -G -DSOLUTION -DREDUCE_OP=REDUCE_SUM -DREDUCE_TYPE=REDUCE_I64
    small=-DSMALL # leaves out the atomics, whose inlined functions are long without optimization
    for topic in language warp; do
        of_nvcc $topic-nvcc-75 sources/$topic.cu 75
        of_nvcc $topic-nvcc-80 sources/$topic.cu 80 -lineinfo
        of_nvcc $topic-nvcc-90 sources/$topic.cu 90 -Xcicc -O0 $small
        of_nvcc $topic-nvcc-100 sources/$topic.cu 100 -Xcicc -O1 $small
    done
    of_nvcc language-nvcc-g sources/language.cu 75 -G
    of_nvcc libraries-nvcc-75 sources/libraries.cu 75
    of_nvcc libraries-nvcc-100 sources/libraries.cu 100
    of_nvcc functions-nvcc-75 sources/functions.cu 75
    of_nvcc functions-nvcc-100-ftz sources/functions.cu 100 -use_fast_math
    of_nvcc half-nvcc-75 sources/half.cu 75
    of_nvcc half-nvcc-90 sources/half.cu 90 -lineinfo
    of_nvcc orders-nvcc-75 sources/orders.cu 75
    for arch in 75 90; do of_nvcc intrinsics-nvcc-$arch sources/intrinsics.cu $arch; done
    of_nvcc tensor-nvcc-75 sources/tensor.cu 75 -lineinfo
    of_nvcc textures-nvcc-75 sources/textures.cu 75
fi
if command -v clang >/dev/null; then
    of_clang language-clang-O0 sources/language.cu -O0 -DBY_POINTER
    for level in 1 3; do of_clang language-clang-O$level sources/language.cu -O$level; done
    of_clang by_value-clang-O0 sources/by_value.cu -O0
    of_clang by_value-clang-O2 sources/by_value.cu -O2
    for level in 0 2; do of_clang warp-clang-O$level sources/warp.cu -O$level; done
    of_clang language-clang-g sources/language.cu -O0 -g -DBY_POINTER
    of_clang warp-clang-lines sources/warp.cu -O2 -gline-tables-only
    for lab in 1 2 3; do
        of_clang lab$lab-clang "$(echo $root/solutions/lab"$lab"_*/reduce.cu)" -O2 -gline-tables-only -DSOLUTION -DREDUCE_OP=REDUCE_SUM \
            -DREDUCE_TYPE=REDUCE_I32
    done
fi
du -bc corpus/*.ptx | tail -1
