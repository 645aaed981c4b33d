#!/bin/sh
# Runs the right kernels on the simulator and on a GPU and compares what they leave in memory: diff_gpu.sh GRADE
# The launch and the arguments are those of the kernel's header. Where a float may be added in any order, ours are whole
# numbers, so all digits must agree.
grade=$1 same=0 different=0 skipped=0
one=$(mktemp) two=$(mktemp)
trap 'rm -f "$one" "$two"' EXIT
values() { awk '/^ +\[[0-9]/ { print } /^  Counts/ { exit }' "$1"; }
# A GPU shows what changed, the simulator what was written: each line of the GPU's must be one of the simulator's.
agree() { values "$two" | while read -r line; do values "$one" | grep -qxF "      $line" || { echo no; break; }; done; }
for cu in grader/tests/right_kernels/*.cu; do
    set -- $(awk '
        !/^\/\// { exit }
        /^\/\/ launch:/ { for (i = 3; i <= NF; i++) { split($i, p, "="); if (p[1] == "grid" || p[1] == "block" || p[1] == "shared" || p[1] == "budget") printf "--%s=%s ", p[1], p[2]; if (p[1] == "kernel") kernel = p[2] } }
        /^\/\/ arg: null/ { printf "--arg=null "; next }
        /^\/\/ arg: .*\[/ { sub(/:ones/, ":1", $3); printf "--arg=%s ", $3; next }
        /^\/\/ arg:/ { printf "--arg=%s:%s ", $3, $4 }
        END { print kernel ? kernel : "kernel" }' "$cu")
    case $cu in *struct_with_padding_to_global.cu) skipped=$((skipped + 1)); continue ;; esac # padding is undefined
    "$grade" run "$cu" "$@" --print=100000 >"$one" 2>&1
    if [ $? -gt 1 ]; then echo "$(basename "$cu"): not run: $(tail -1 "$one")"; skipped=$((skipped + 1)); continue; fi
    "$grade" run "$cu" "$@" --print=100000 --device cuda >"$two" 2>&1
    status=$?
    if [ $status = 0 ] && [ -z "$(agree)" ]; then
        same=$((same + 1))
    else
        different=$((different + 1))
        echo "$(basename "$cu"): differs (exit $status)"
        values "$one" >"$one.v"; values "$two" >"$two.v"; diff "$one.v" "$two.v" | head -6; [ $status = 0 ] || tail -2 "$two"
        rm -f "$one.v" "$two.v"
    fi
done
echo "right kernels: $same leave the same on both devices, $different do not, $skipped not run"
[ $different = 0 ]
