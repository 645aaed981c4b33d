#!/bin/sh
# verdict.sh BUILD: measures the time from saving a file to its verdict. In each of ROUNDS rounds (default 2), each file is first compiled
# with `nvcc -ptx` for one operator and type, and then graded as its student would grade it. LABS="lab1 lab3" selects labs. Each round
# changes the file, so that its PTX never comes from the cache, unlike the reference's PTX. Grading the same text again gives the time
# of the verdict without the compiler. Finally, another copy is saved under a watch. The watch reports its own time, including the 50 ms
# for which it waits for further writes.
#
# Columns are minimum wall times. Ratios are relative to nvcc's time for the same file in the same run, so that machines can
# be compared. From saving to the verdict, the limits are 0.5 for solutions of labs 0 to 7, 1.0 for those of later labs,
# and 0.31 for skeletons and mistakes. This is not a test, because times are longer on a busy machine.
build=$1 rounds=${ROUNDS:-2}
labs=${LABS:-$(ls -d solutions/lab*_* | sed 's:solutions/\([^_]*\)_.*:\1:' | sort -V)}
command -v nvcc >/dev/null || { echo "SKIP bench-verdict: no nvcc in PATH"; exit 0; }
dir=$(mktemp -d)
trap 'unwatch; rm -rf "$dir"' EXIT
export GRADE_CACHE="$dir/cache"
now() { date +%s%N; }
since() { echo $((($(now) - $1) / 1000)); } # microseconds
compiled() { # compiled FILE LAB: times nvcc; lab 10 has pairs, other labs have numbers
    op=0
    [ "$2" != lab10 ] || op=7 # REDUCE_OP_ARGMAX
    from=$(now)
    nvcc -ptx -arch=compute_75 -lineinfo -Icommon -DREDUCE_OP=$op -DREDUCE_TYPE=0 "$1" -o "$dir/ptx" >"$dir/said" 2>&1 ||
        { cat "$dir/said" >&2; return 1; }
    since "$from"
}
graded() { # graded LAB FILE: times a grade; exit status 1 (not all points) is a verdict, too
    from=$(now)
    "$build/grade" "$1" --submission "$2" --no-sandbox --seed 5 --device sim --no-fix -q >"$dir/said" 2>&1
    [ $? -le 1 ] || { cat "$dir/said" >&2; return 1; }
    since "$from"
}
# The next functions run `./grade LAB --watch` in the background: watch() starts it and waits for the first verdict,
# watched() changes the file and waits for the next verdict, and unwatch() ends it.
verdicts() { grep -c 'Ctrl-C ends' "$dir/watched"; }
wait_for_verdict() { # wait_for_verdict COUNT: waits until there are that many verdicts
    while [ "$(verdicts)" -lt "$1" ]; do
        kill -0 "$watch" 2>/dev/null || { cat "$dir/watched" >&2; return 1; }
        sleep 0.02
    done
}
watch() { # watch LAB FILE
    : >"$dir/watched"
    "$build/grade" "$1" --watch --submission "$2" --no-sandbox --seed 5 --device sim --no-fix >"$dir/watched" 2>&1 &
    watch=$!
    wait_for_verdict 1 && sleep 0.5 # until the next grade is ready
}
watched() { # watched FILE LINE: prints the microseconds from saving FILE, with LINE added, to the verdict
    count=$(verdicts)
    echo "$2" >>"$1"
    wait_for_verdict $((count + 1)) && sleep 0.5 || return 1
    sed -n 's/.*, \([0-9]*\)[.]\([0-9]*\) s after the save.*/\1\20000/p' "$dir/watched" | tail -1 | sed 's/^0*//'
}
unwatch() {
    [ -z "$watch" ] || { kill "$watch"; wait "$watch"; }
    watch=
}
# The variants of a file are the solution, the skeleton, and a broken solution, which lacks its first barrier or ends its first loop over
# the input early, whichever comes first.
make_file() { # make_file KIND LAB FILE
    case $1 in
    skeleton) cp labs/"$2"_*/reduce.cu "$3" ;;
    solution) unifdef -DSOLUTION solutions/"$2"_*/reduce.cu >"$3" ;;
    mistake)
        unifdef -DSOLUTION solutions/"$2"_*/reduce.cu |
            awk '!done && /__syncthreads\(\);|__syncwarp\(\);/ { sub(/__sync[a-z]*\(\);/, ";"); done = 1 }
                 !done && /i < n; i \+=/ { sub(/i < n; i \+=/, "i + 1 < n; i +="); done = 1 } { print }' >"$3"
        ! unifdef -DSOLUTION solutions/"$2"_*/reduce.cu | cmp -s - "$3" || { echo "$2: no text to replace" >&2; return 1; }
        ;;
    esac
    [ -s "$3" ]
}
row() { # row KIND LAB: prints the minimum of each column over the rounds
    case $1$2 in
    solutionlab[0-7]) bar=0.5 ;;
    solution*) bar=1.0 ;;
    *) bar=0.31 ;;
    esac
    awk -v kind="$1" -v lab="$2" -v bar="$bar" '
        { for (k = 1; k <= 4; k++) if (NR == 1 || $k < least[k]) least[k] = $k }
        END {
            printf "%-9s %-6s %9.2f", kind, lab, least[1] / 1e6
            for (k = 2; k <= 4; k++) printf " %9.2f (%4.2f)", least[k] / 1e6, least[k] / least[1]
            printf "   limit %4.2f%s\n", bar, (least[2] > bar * least[1] ? ", over" : "")
        }'
}
echo "load $(cut -d' ' -f1 /proc/loadavg), $(nproc) cores; seconds; in parentheses, the ratio to nvcc's time"
printf '%-9s %-6s %9s %16s %16s %16s\n' "" lab "nvcc -ptx" "save to verdict" "without compiler" "under --watch"
for kind in solution skeleton mistake; do
    for lab in $labs; do
        file=$dir/$lab/reduce.cu other=$dir/$lab/watched/reduce.cu k=0
        mkdir -p "$dir/$lab/watched"
        cp solutions/"$lab"_*/predictions.txt "$dir/$lab/"
        cp solutions/"$lab"_*/predictions.txt "$dir/$lab/watched/"
        make_file "$kind" "$lab" "$file" && graded "$lab" "$file" >/dev/null || exit 1 # stores the reference in the cache
        cp "$file" "$other" && watch "$lab" "$other" || exit 1
        while [ "$k" -lt "$rounds" ]; do
            k=$((k + 1))
            echo "// round $k" >>"$file"
            a=$(compiled "$file" "$lab") && b=$(graded "$lab" "$file") && c=$(graded "$lab" "$file") || exit 1
            d=$(watched "$other" "// watched $k") || exit 1
            echo "$a $b $c $d"
        done >"$dir/rounds"
        unwatch
        row "$kind" "$lab" <"$dir/rounds"
    done
done
