#!/bin/sh
# coverage.sh BUILD: prints line coverage by folder and by file for a build with --coverage whose tests have run. Code that multiple objects
# include is counted once, with the best coverage.
build=$1
for folder in $(ls -d grader/*/ | sed "s:grader/\(.*\)/:\1:" | grep -v tests); do
    for f in "$build/grader/$folder"/*.gcda; do
        [ -f "$f" ] && gcov -n "$f" 2>/dev/null
    done | awk -v want="'grader/$folder/" -v name="$folder" -v q="'" '
        /^File/ { file = index($0, want) ? $2 : ""; gsub(q, "", file) }
        /^Lines executed/ && file { split($2, a, ":"); sub("%", "", a[2]); if (a[2] >= share[file]) share[file] = a[2] + 0; lines[file] = $4; file = "" }
        END {
            for (f in lines) {
                all += lines[f]; hit += share[f] * lines[f] / 100
                if (share[f] < 95) low = low sprintf("    %6.1f%% of %4d  %s\n", share[f], lines[f], f)
            }
            if (all) printf "%-8s %6.1f%% of %d lines\n%s", name, 100 * hit / all, all, low
        }'
done
