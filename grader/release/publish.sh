#!/bin/sh
# publish.sh COMMAND LAB FOLDER [CLASS]: writes the page of a lab's solution as a single self-contained file. CLASS is a folder of make
# gradebook.
set -eu
command=$1 lab=$2 folder=$3 class=${4:-}
for tool in unifdef cmark-gfm; do
    command -v $tool >/dev/null || { echo "make publish needs $tool: sudo apt-get install $tool" >&2; exit 3; }
done
solution=$(echo solutions/"$lab"_*)
[ -n "$lab" ] && [ -f "$solution/reduce.cu" ] || { echo "no solution of \`$lab\`: give LAB=lab3, for example" >&2; exit 2; }
mkdir -p "$folder"
out=$(realpath "$folder")/$lab.html
[ -z "$class" ] || class=$(realpath "$class")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unifdef -DSOLUTION "$solution/reduce.cu" >"$work/reduce.cu" || [ $? = 1 ]
cp "$solution/predictions.txt" "$work"
sed '1{/^# /d}; s/^## /### /' "$solution/notes.md" | cmark-gfm --extension table >"$work/notes.html"
(cd "$work" && GRADE_CACHE=$work/cache "$command" "$lab" --submission reduce.cu --no-sandbox --seed 1 --device sim --json record.json --quiet) ||
    { echo "the solution of $lab does not get all points: run make check-course" >&2; exit 1; }
"$command" release page "$lab" "$work/record.json" "$work/notes.html" "$out" ${class:+"$class"}
echo "$out: $(wc -c <"$out") bytes"
