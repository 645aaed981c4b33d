#!/bin/sh
# Runs test programs three at a time (some wait more than they work) and sums them up: run.sh SUMMARY PROGRAM...
# A program's closing line is Check's "NN%: Checks: N, Failures: N, Errors: N"; a line "SKIP name: reason" says what was not run.
summary=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
printf '%s\n' "$@" | xargs -P 3 -I{} sh -c 'n=$(basename {}); t=$(date +%s); {} >"$0/$n.out" 2>&1; echo $? >"$0/$n.rc"; echo $(($(date +%s) - t)) >"$0/$n.time"' "$dir"
passed=0 failed=0 skipped=0
for t in "$@"; do
    n=$(basename "$t")
    rc=$(cat "$dir/$n.rc" 2>/dev/null || echo 1)
    counts=$(sed -n 's/.*Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1 \2 \3/p' "$dir/$n.out" | awk '{ c += $1; f += $2 + $3 } END { print c + 0, f + 0 }')
    c=${counts% *} f=${counts#* }
    [ "$rc" = 0 ] || [ "$f" -gt 0 ] || f=1 c=$((c + 1))
    s=$(grep -c '^SKIP ' "$dir/$n.out")
    grep '^SKIP ' "$dir/$n.out"
    printf '%-20s %4d passed, %d failed %5d s\n' "$n" $((c - f)) "$f" "$(cat "$dir/$n.time" 2>/dev/null || echo 0)"
    [ "$f" = 0 ] || cat "$dir/$n.out"
    passed=$((passed + c - f)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped" | tee "$summary.text"
echo "$passed passed $failed failed $skipped skipped" >"$summary"
[ "$failed" = 0 ]
