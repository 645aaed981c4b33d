#!/bin/sh
# beside.sh BUILD [LAB]: compares modeled with measured ratios on a GPU, for mistakes and correct kernels whose blocks do unequal work.
# Prints for each row its time relative to the reference's: modeled, measured, and the quotient of the two. Exit status: 1 if a quotient
# is missing, or not between 0.85 and 1.18. No sandbox is needed, because the rows are trusted. ROWS=fence,ticket selects rows by parts of names.
build=$1 bad=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
ROWS=${ROWS:-where there are many,rows of threads,one warp adds,chunks} TEXTS=$dir "$build/marks" $2 || exit
printf '%-70s %8s %8s %8s\n' row modeled measured quotient
for file in "$dir"/*.cu; do
    row=$(basename "$file" .cu)
    "$build/grade" "${row%%.*}" --submission "$file" --no-sandbox --seed 5 --no-fix -q --json "$dir/record" >/dev/null 2>"$dir/said"
    [ $? -le 1 ] || { cat "$dir/said" >&2; bad=1; continue; }
    jq -r --arg row "$row" '.. | objects | select(.modeled?) | [$row, .modeled.ratio, .timed.ratio, .timed.message] | @tsv' \
        "$dir/record" >"$dir/line"
    awk -F'\t' '{ q = $3 > 0 ? $2 / $3 : 0; printf "%-70s %8.2f %8.2f %8.2f  %s\n", $1, $2, $3, q, ($3 > 0 ? "" : $4)
        exit (q < 0.85 || q > 1.18) }' "$dir/line" || bad=1
done
exit $bad
