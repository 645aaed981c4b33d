#!/bin/sh
# diff_gpu.sh GRADE JUDGE DIR: compares the simulator with a GPU. Writes records to DIR, which JUDGE (diff_gpu.c) compares.
# Results: of all solutions, of correct and fixed kernels, of wrong kernels with a defined result, and of the ladder's rows. Counts: of a selection.
[ $# = 3 ] || { echo "usage: diff_gpu.sh GRADE JUDGE DIR"; exit 2; }
grade=$1 judge=$2 dir=$3
tests=grader/tests
export grade dir
export PATH="$PATH:/usr/local/cuda/bin"
if ! nvidia-smi >/dev/null 2>&1; then
    for what in bits counts; do echo "SKIP diff-gpu: $what of solutions, right kernels and ladder rows vs. a GPU: no GPU"; done
    exit 0
fi
rm -rf "$dir" && mkdir -p "$dir/launch"

# Each file in launch/ is a command, one word per line. NAME.bits run in parallel, and NAME.counts one at a time.
lab_case() { # LAB CASE KIND
    printf '%s\n' "$1" --solution --seed=1 "--case=$2" >"$dir/launch/$1.$(echo "$2" | tr / .).$3"
}
grep -v '^#' $tests/diff_gpu.txt | while read -r lab kernel n block grid data; do
    tail=n=$n/block=$block
    [ "$grid" = - ] || tail=$tail/grid=$grid
    case $lab in
    lab10) variants="argmin_i32 argmax_i32 argmin_f32 argmax_f32 argmin_f64 argmax_f64" one=argmax_f32 ;;
    lab8) variants="sum_i32 product_u32 max_i64 sum_f32 sum_f64 affine_u32 matrix_u32" one=sum_f32 ;;
    lab12) variants=sum_f32 one=sum_f32 ;;
    *) variants="sum_i32 product_u32 max_i64 sum_f32 sum_f64" one=sum_f32 ;;
    esac
    case $kernel in *atomic) variants="sum_i32 min_u32 max_i64 sum_f32 sum_f64" ;; esac
    for v in $variants; do
        case $v/$data in sum_f*/rounded) rounded=/rounded ;; *) rounded= ;; esac
        lab_case "$lab" "$kernel/$v/$tail$rounded" bits
    done
    lab_case "$lab" "$kernel/$one/$tail" counts
done
counted=" atomics_only broadcast_reads bytes_side_by_side compacted_tree double_buffering global_tree_in_place grid_stride_two_stage \
half_precision interleaved_tree last_block_vector local_arrays partial_warp shuffle_doubles "
for cu in $(grep -LE '^// arg: (texture|surface) ' $tests/right_kernels/*.cu); do # not supported by ./grade run
    name=$(basename "$cu" .cu)
    { printf '%s\n' run "$cu"; awk -f $tests/launch.awk "$cu"; } >"$dir/launch/$name.bits"
    case $counted in *" $name "*) cp "$dir/launch/$name.bits" "$dir/launch/$name.counts" ;; esac
done
grep -v '^#' $tests/wrong_kernels/mended.txt | while read -r name script; do
    sed "$script" $tests/wrong_kernels/"$name".cu >"$dir/$name.cu"
    { printf '%s\n' run "$dir/$name.cu"; awk -f $tests/launch.awk $tests/wrong_kernels/"$name".cu; } >"$dir/launch/mended.$name.bits"
done
for cu in $(grep -lE '^// expect: (read-only|barrier-mismatch)' $tests/wrong_kernels/*.cu); do # wrong, but with a defined result
    { printf '%s\n' run "$cu"; awk -f $tests/launch.awk "$cu"; } >"$dir/launch/wrong.$(basename "$cu" .cu).bits"
done

# passes the words of the launch as "$@" and the name of the record as "$0"
one='"$grade" "$@" --hardware=$TOOL --json="$dir/$0.json" >"$dir/$0.out" 2>&1; true'
export one
look() { # KIND TOOL PROCESSES
    for f in "$dir"/launch/*."$1"; do basename "$f"; done | TOOL=$2 xargs -P "$3" -I{} sh -c 'xargs -d "\n" sh -c "$one" "$1" <"$dir/launch/$1"' sh {}
}
# compile each solution once, before its cases run in parallel
sed -n 's/^\(lab[0-9]*\) .*/\1/p' $tests/diff_gpu.txt | sort -u | xargs -P "$(nproc)" -I{} "$grade" {} --solution --compile-only >/dev/null
look bits result "$(nproc)"
for op in sum_f32 sum_i32 product_f32 min_f64 sum_f64 affine_u32; do
    for device in sim cuda; do
        printf '%s\n' ladder --op=$op --size=65537 --device=$device --json="$dir/ladder.$op.$device.json" >"$dir/launch/ladder.$op.$device"
    done
done
for f in "$dir"/launch/ladder.*; do echo "$f"; done | xargs -P "$(nproc)" -I{} sh -c 'xargs -d "\n" "$grade" <{} >/dev/null 2>&1; true'
look counts ncu 1
"$judge" "$dir" docs/hardware.md
