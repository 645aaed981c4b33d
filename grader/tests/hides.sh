#!/bin/sh
# hides.sh determines which errors a GPU hides. Every wrong kernel that ./grade run supports runs on the simulator, on a GPU under
# compute-sanitizer, and on the GPU alone.
#   hides.sh prepare GRADE DIR   compiles the wrong kernels and the fixed ones, and runs the fixed ones on the simulator
#   hides.sh run GRADE DIR       on a machine with a GPU: writes DIR/NAME.json, DIR/NAME.alone.1.json ... for hides.c
# DIR can be copied between machines.
#   hides.sh document GRADE DIR JUDGE   does both, and writes docs/what-a-gpu-hides.md with JUDGE, which is hides.c
[ $# -ge 3 ] || { echo "usage: hides.sh prepare|run GRADE DIR"; exit 2; }
what=$1 grade=$2 dir=$3
if [ "$what" = document ]; then
    nvidia-smi >/dev/null 2>&1 || { echo "SKIP what-a-gpu-hides: the wrong kernels under compute-sanitizer: no GPU here"; exit 0; }
    sh "$0" prepare "$grade" "$dir" && sh "$0" run "$grade" "$dir" && "$4" "$dir" >"$dir.md" && mv "$dir.md" docs/what-a-gpu-hides.md
    exit
fi
kernels=grader/tests/wrong_kernels
export grade dir kernels
export PATH="$PATH:/usr/local/cuda/bin"
words() { awk -f grader/tests/launch.awk "$kernels/$1.cu"; } # words NAME: prints one word per line

prepare_one() { # NAME
    n=$1
    words "$n" >"$dir/$n.launch"
    arch=$(sed -n 's/^--arch=//p' "$dir/$n.launch")
    nvcc -ptx -arch="compute_${arch:-75}" -lineinfo "$kernels/$n.cu" -o "$dir/$n.ptx" || return 1
    script=$(sed -n "s/^$n //p" "$kernels/mended.txt")
    [ "$script" ] || return 0
    sed "$script" "$kernels/$n.cu" >"$dir/$n.mended.cu"
    cmp -s "$kernels/$n.cu" "$dir/$n.mended.cu" && { echo "$n: mended.txt changes nothing"; return 1; }
    nvcc -ptx -arch="compute_${arch:-75}" -lineinfo "$dir/$n.mended.cu" -o "$dir/$n.mended.ptx" || return 1
    xargs -d '\n' "$grade" run "$dir/$n.mended.ptx" --json="$dir/$n.mended.json" <"$dir/$n.launch" >"$dir/$n.mended.out" 2>&1 ||
        { echo "$n: the fixed kernel is wrong"; cat "$dir/$n.mended.out"; return 1; }
}
run_one() { # NAME
    n=$1
    xargs -d '\n' "$grade" run "$dir/$n.ptx" --hardware=memcheck,racecheck,synccheck,initcheck --json="$dir/$n.json" <"$dir/$n.launch" >"$dir/$n.out" 2>&1
    for k in 1 2 3; do
        timeout -k 2 20 xargs -d '\n' "$grade" run "$dir/$n.ptx" --device=cuda --json="$dir/$n.alone.$k.json" <"$dir/$n.launch" >"$dir/$n.alone.$k.out" 2>&1
    done
    true # wrong kernels are expected to fail
}
if [ "$what" = one ]; then # called by this script
    "$4"_one "$5"
    exit
fi
mkdir -p "$dir"
# Kernels that may not terminate start first, because they take longest. ./grade run does not support textures and surfaces.
all=$(grep -LE '^// arg: (texture|surface) ' "$kernels"/*.cu)
names=$(grep -lE 'expect: (deadlock|runaway|sync|barrier)' $all; grep -LE 'expect: (deadlock|runaway|sync|barrier)' $all)
if [ "$what" = run ]; then
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader >"$dir/gpu" || exit 1
    date -u +%Y-%m-%d >"$dir/date"
fi
for f in $names; do basename "$f" .cu; done | xargs -P "$(nproc)" -I{} sh "$0" one "$grade" "$dir" "$what" {} || exit 1
