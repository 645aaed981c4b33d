#!/bin/sh
# Line coverage by folder, of a build made with --coverage whose tests have run: coverage.sh BUILD
build=$1
for folder in ptx sim probes judge report; do
    for f in grader/"$folder"/*.c; do
        gcov -n -o "$build/grader/$folder" "$f" 2>/dev/null |
            awk -v want="grader/$folder/" '/^File/ { in_folder = index($0, want) } in_folder && /^Lines executed/ { split($2, a, ":"); sub("%", "", a[2]); print a[2], $4; in_folder = 0 }'
    done | awk -v name="$folder" '{ lines += $2; hit += $1 * $2 / 100 } END { if (lines) printf "%-8s %6.1f%% of %d lines\n", name, 100 * hit / lines, lines }'
done
