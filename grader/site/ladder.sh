#!/bin/sh
# Computes modeled times of the ladder's rows for 2^10 to 2^26 elements, for the explorable "roof". Run in the kit's folder:
#
#   ladder.sh make GRADE    writes explorables/ladder.json; needs a compiler (two minutes)
#   ladder.sh check GRADE   fails if a time at 2^14 differs from the current model by more than 10%
set -eu
out=grader/site/explorables/ladder.json
rows=A5,B1,B2,B3,B4,B6,C2,C3,C4,C5,C7,C8,D8
table() { "$grade" ladder -n "$1" --rows $rows --csv - | sed 1d; } # table N: prints the CSV for N elements
# A row's name is in quotes and may contain commas. The modeled time in us is the eleventh field after the name.
fields='{
    match($0, /"[^"]*"/); id = substr($0, 1, RSTART - 2); name = substr($0, RSTART, RLENGTH)
    split(substr($0, RSTART + RLENGTH + 1), field, ","); us = field[11]
}'
grade=${2-}
case ${1-} in
make)
    bytes=$("$grade" ladder -n 1024 --rows C8 --json - | sed -n 's/.*"bytes_per_second": *\([^,]*\),*/\1/p')
    for power in $(seq 10 26); do table $((1 << power)); done | awk -v bytes="$bytes" "$fields"'
        !(id in times) { ids[++count] = id; names[id] = name }
        { times[id] = times[id] (times[id] ? ", " : "") sprintf("%.4g", us) }
        END {
            print "{\"first\": 10, \"bytes_per_second\": " bytes ", \"rows\": ["
            for (k = 1; k <= count; k++)
                printf " {\"id\": \"%s\", \"name\": %s, \"us\": [%s]}%s\n", ids[k], names[ids[k]], times[ids[k]], k < count ? "," : ""
            print "]}"
        }' >$out.new
    mv $out.new $out
    ;;
check)
    table 16384 | awk "$fields"'{ print id, us }' | while read -r id us; do
        sed -n "s/.*\"id\": \"$id\".*\"us\": \[\(.*\)\].*/\1/p" $out | awk -F', ' -v id="$id" -v us="$us" '
            { if ($5 > 1.1 * us || us > 1.1 * $5) { print id " takes " us " us at 2^14, not " $5 ": run make ladder-times"; exit 1 } }' || exit 1
    done
    ;;
*) sed -n '2,5s/^# *//p' "$0"; exit 2 ;;
esac
