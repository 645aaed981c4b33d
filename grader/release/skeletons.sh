#!/bin/sh
# Derives the labs' skeletons, labs/*/reduce.cu, from the solutions by removing the parts under SOLUTION.
#   skeletons.sh write    writes them
#   skeletons.sh check    fails if one does not match its solution
new=$(mktemp)
trap 'rm -f "$new"' EXIT
for solution in solutions/lab*/reduce.cu; do
    skeleton=labs/${solution#solutions/}
    unifdef -USOLUTION "$solution" >"$new"
    [ $? -le 1 ] || exit 1
    if [ "$1" = write ]; then
        cat "$new" >"$skeleton" && echo "$skeleton"
    else
        cmp -s "$new" "$skeleton" || { echo "$skeleton does not match $solution: run make skeletons"; exit 1; }
    fi
done
