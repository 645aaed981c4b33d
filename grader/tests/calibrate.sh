#!/bin/sh
# calibrate.sh GRADE [CSV...]: compares modeled and measured times of all rows of the ladder and all solutions at three sizes on a GPU.
# Fails if a ratio is not between 0.8 and 1.25, or if two rows whose measured times differ by more than 5% are modeled in the opposite
# order. CSV is the output of `grade ladder --device cuda --modeled --csv`.
grade=$1
shift
if [ $# = 0 ]; then
    dir=$(mktemp -d)
    trap 'rm -rf "$dir"' EXIT
    for e in 20 24 28; do
        for what in "" "--rows=E1 --op=sum_i32" --solutions "--solutions --op=argmax_f32"; do
            csv="$dir/$e.$#.csv"
            "$grade" ladder $what --device cuda --modeled -n $((1 << e)) --csv "$csv" || exit
            set -- "$@" "$csv"
        done
    done
fi
cat "$@" | awk '
function fields(line) { # a quoted name may contain commas
    count = 0
    while (line != "") {
        if (substr(line, 1, 1) == "\"") { line = substr(line, 2); i = index(line, "\""); field[++count] = substr(line, 1, i - 1); line = substr(line, i + 2) }
        else { i = index(line, ","); if (!i) i = length(line) + 1; field[++count] = substr(line, 1, i - 1); line = substr(line, i + 1) }
    }
}
{ fields($0) }
field[1] == "id" { for (k = 1; k <= count; k++) column[field[k]] = k; next }
{
    id = field[column["id"]]; n = field[column["elements"]]; model = field[column["modeled_us"]]; took = field[column["measured_us"]]
    if (model + 0 <= 0 || took + 0 <= 0) next
    if (!(id in known)) { known[id] = 1; row[++rows] = id }
    if (!(n in sizes)) { sizes[n] = 1; size[++kinds] = n }
    modeled[id, n] = model + 0; measured[id, n] = took + 0
}
END {
    printf "| row |"; for (s = 1; s <= kinds; s++) printf " 2^%d modeled us | measured us | ratio |", log(size[s]) / log(2) + 0.5
    printf "\n|---|"; for (s = 1; s <= kinds; s++) printf "---|---|---|"
    print ""
    for (r = 1; r <= rows; r++) {
        printf "| %s |", row[r]
        for (s = 1; s <= kinds; s++) {
            key = row[r] SUBSEP size[s]
            if (!(key in measured)) { printf " | | |"; continue }
            m = modeled[key]; t = measured[key]
            printf " %.1f | %.1f | %.2f |", m, t, m / t
            all++; near += m / t >= 0.8 && m / t <= 1.25
        }
        print ""
    }
    for (s = 1; s <= kinds; s++) for (a = 1; a <= rows; a++) for (b = 1; b <= rows; b++) {
        one = row[a] SUBSEP size[s]; two = row[b] SUBSEP size[s]
        if (!(one in measured) || !(two in measured) || measured[one] * 1.05 >= measured[two]) continue
        pairs++
        if (modeled[one] <= modeled[two]) continue
        swapped++; list = list sprintf(" %s/%s at %d;", row[a], row[b], size[s])
    }
    printf "\n%d of %d within 0.8 to 1.25; %d of %d pairs that differ by over 5%% in the wrong order:%s\n", near, all, swapped, pairs, list
    exit !all || near < all || swapped > 0
}'
