#!/bin/sh
# Tests or measures pages of the kit in a browser: those of reports, of the site and of a class.
#   pages.sh axe PAGES GRADE FOLDER AXE   runs axe-core (AXE is axe.min.js) on each page
#   pages.sh speed PAGES GRADE FOLDER     measures the sizes and times of interactive pages
set -eu
what=$1 pages=$2 grade=$3 folder=$4 axe=${5-}
if [ "$what" = axe ] && [ ! -f "$axe" ]; then
    echo "SKIP test-axe: no axe-core: AXE=FILE, its axe.min.js, from 'npm pack axe-core' or 'pip download --no-deps axe-playwright-python'"
    exit
fi
rm -rf "$folder"
mkdir -p "$folder"
export GRADE_CACHE="$folder/cache"
"$grade" --list >"$folder/labs"
while read -r lab _; do
    [ "$what" = axe ] || case $lab in lab3 | lab4 | lab10) ;; *) continue ;; esac
    "$grade" "$lab" --solution --seed 7 --quiet --html "$folder/$lab.html" >/dev/null || [ $? = 1 ]
done <"$folder/labs"
if [ "$what" = axe ]; then
    "$pages" golden "$folder"
    sh grader/site/site.sh pages "$folder/site"
    sh grader/site/site.sh slides "$folder/site"
    "$grade" lab3 --submission labs/lab3_*/reduce.cu --seed 7 --watch --html "$folder/watch.page" >"$folder/watch" &
    trap "kill $!" EXIT
    until live=$(grep -o 'http:.*' "$folder/watch"); do kill -0 $! && sleep 0.2 || exit 2; done
    "$pages" axe "$axe" "$folder"/*.html "$folder"/site/*.html "$live"
else
    sh grader/site/site.sh parts "$folder/site"
    wc -c "$folder"/site/*
    # Use real-time priority if the user may set it, so that other programs on this machine do not delay the browser.
    quiet=$(chrt -r 1 true 2>/dev/null && echo "chrt -r 1") || :
    $quiet "$pages" speed "$folder"/*.html "$folder"/site/*.html
fi
