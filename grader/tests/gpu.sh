#!/bin/sh
# gpu.sh BUILD: runs the tests that need a GPU: first the comparison with the simulator, then the solutions, then the tests whose `run:`
# line contains `gpu`. Those with "gpu alone" run one at a time, and the others in parallel, some of them "in N parts".
build=$1
sh grader/tests/diff_gpu.sh "$build/grade" "$build/diff_gpu" "$build/diff_gpu.d" || exit
"$build/grade" all --solution --device cuda --quiet || exit
said() { sed -n 's|^/\* run: .*\<gpu\>\(.*\) \*/$|\1|p' "grader/tests/$1.c"; }
tests=$(grep -l '^/\* run:.*\<gpu\>' grader/tests/check_*.c | xargs -n 1 basename | sed 's/\.c$//')
export GPU=1
for t in $tests; do
    case $(said "$t") in *alone*) "$build/$t" || exit ;; esac
done
for t in $tests; do
    case $(said "$t") in
    *alone*) ;;
    *parts*)
        parts=$(said "$t" | sed 's/.*in \([0-9]*\) parts.*/\1/')
        for part in $(seq 0 $((parts - 1))); do echo "PARTS=$parts PART=$part $build/$t"; done
        ;;
    *) echo "$build/$t" ;;
    esac
done | CK_FORK=no xargs -P 7 -L 1 env
