#!/bin/sh
# class.sh BUILD kill|bench: grades a whole class. LAB, COUNT, ROUNDS, SEED and JOBS ("1 2") in the environment override the defaults.
#
#   kill   kills each of ROUNDS grading runs with SIGKILL at a random time, and then grades the rest. The results must be
#          byte-identical to those of an undisturbed run
#   bench  measures time, rate and memory with one core and with several
build=$1 lab=${LAB:-lab3} kit=$PWD
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# Runs make without the options of the make that called this script.
unset MAKEFLAGS MAKELEVEL MFLAGS
class() { # class COUNT
    unifdef -DSOLUTION solutions/"$lab"_*/reduce.cu >"$dir/solution.cu"
    "$build/make_class" "$lab" "$dir/solution.cu" labs/"$lab"_*/reduce.cu "$1" "$dir/in"
}
gradebook() { # gradebook OUT JOBS [more]
    out=$1 jobs=$2
    shift 2
    make --no-print-directory -j"$jobs" gradebook GRADE_CACHE="$out.cache" BUILD="$build" SUBMISSIONS="$dir/in" OUT="$out" SEED=5 CUDA=auto "$@"
}
fail() {
    echo "FAILED: $1"
    exit 1
}
graded() { tail -n +2 "$1/progress" | wc -l; }

random=${SEED:-$(od -An -N2 -tu2 /dev/urandom | tr -d ' ')}
draw() { # draw BELOW: sets $drawn
    random=$(((random * 1103515245 + 12345) % 2147483648))
    drawn=$((random / 65536 % $1))
}
pause() { # pause TENTHS: waits for a random time of up to TENTHS tenths of a second
    draw "$1"
    sleep "$((drawn / 10)).$((drawn % 10))"
}
# Kills one process: make, a shell, a command of the class, or a grade. The children of a grade (checks, compilers, workers)
# die with it here; make test-killed kills them one at a time.
strike() { # strike SESSION
    pids=$(ps -o pid=,ppid=,comm=,args= -s "$1" | awk '
        { parent[$1] = $2; outer[$1] = $3 == "make" || $3 == "sh" || / class (import|begin|grade|report) /; unit[$1] = / class grade / }
        END { for (p in outer) if (outer[p] || unit[parent[p]]) print p }')
    [ -n "$pids" ] || return 1
    draw "$(echo "$pids" | wc -l)"
    kill -9 "$(echo "$pids" | sed -n "$((drawn + 1))p")" 2>/dev/null
}
same() { # same FILE
    cmp "$dir/calm/$1" "$dir/wild/$1" || fail "$1 differs from that of an undisturbed run"
}
standing() { find "$dir/wild/records" -name '*.json' 2>/dev/null | wc -l; }
stamps() { (cd "$dir/wild" && find records -name '*.json' -printf '%p %T@\n' | sort) >"$1"; }
kill_campaign() {
    count=${COUNT:-40} rounds=${ROUNDS:-12}
    class "$count"
    echo "$count submissions, seed of the campaign $random"
    gradebook "$dir/calm" 2 >"$dir/log" 2>&1 || fail "$(cat "$dir/log")"
    [ "$(graded "$dir/calm")" = "$count" ] || fail "not all were graded"
    k=0 struck=0
    while [ "$k" -lt "$rounds" ]; do
        k=$((k + 1))
        setsid sh "$kit/grader/tests/class.sh" "$build" one "$dir" >"$dir/log" 2>&1 &
        group=$!
        stood=$(standing) n=0
        while [ "$(standing)" -le "$((stood + 1))" ] && [ "$n" -lt 200 ] && kill -0 "$group" 2>/dev/null; do
            sleep 0.1
            n=$((n + 1))
        done
        pause 10
        strike "$group" && struck=$((struck + 1))
        pause 8
        pids=$(ps -o pid= -s "$group")
        [ -z "$pids" ] || kill -9 $pids 2>/dev/null
        wait "$group" 2>/dev/null
    done
    echo "killed a process $struck times; $(standing) records exist"
    [ "$struck" -gt 0 ] && [ "$(standing)" -gt 0 ] || fail "no process was killed, or no record exists"
    stamps "$dir/before"
    gradebook "$dir/wild" 2 >"$dir/log" 2>&1 || fail "$(cat "$dir/log")"
    stamps "$dir/after"
    [ -z "$(comm -23 "$dir/before" "$dir/after")" ] || fail "graded again: $(comm -23 "$dir/before" "$dir/after")"
    for f in gradebook.csv gradebook-canvas.csv gradebook-gradescope.csv class.json class.html attention.txt roster.json units; do same "$f"; done
    (cd "$dir/calm" && find records -name '*.json') | while read -r f; do same "$f"; done || exit 1
    [ "$(find "$dir/wild/records" -type f | wc -l)" = "$count" ] || fail "not one record per submission"
    # The next run must grade nothing, and the run after a change only the changed submissions.
    gradebook "$dir/wild" 2 >"$dir/log" 2>&1
    grep -q '^\[' "$dir/log" && fail "a graded submission was graded again"
    echo "// later" >>"$dir/in/s00003/$lab.cu"
    rm -r "$dir/in/s00005"
    gradebook "$dir/wild" 2 >"$dir/log" 2>&1
    [ "$(graded "$dir/wild")" = 1 ] || fail "one submission changed, but $(graded "$dir/wild") were graded"
    grep -q s00005 "$dir/wild/gradebook.csv" && fail "s00005 is still there"
    # A setup that fails must give no verdict, and the submission must be graded once the setup is fixed.
    echo "// again" >>"$dir/in/s00003/$lab.cu"
    mkdir "$dir/bin"
    printf '#!/bin/sh\nexit 127\n' >"$dir/bin/nvcc"
    cp "$dir/bin/nvcc" "$dir/bin/clang"
    chmod +x "$dir/bin/nvcc" "$dir/bin/clang"
    NVRTC=none PATH=$dir/bin:$PATH gradebook "$dir/wild" 2 >"$dir/log" 2>&1 && fail "a failed setup gives status 0"
    grep -q 'not graded: the grader ended with status 3' "$dir/log" || fail "the setup failure is not reported: $(cat "$dir/log")"
    grep -q '^s00003,,,,setup' "$dir/wild/gradebook.csv" || fail "a failed setup has a mark"
    gradebook "$dir/wild" 2 >"$dir/log" 2>&1 || fail "$(cat "$dir/log")"
    [ "$(graded "$dir/wild")" = 1 ] || fail "a failed setup was not graded again"
    grep -q '^s00003,.*,setup' "$dir/wild/gradebook.csv" && fail "s00003 is still without a mark"
    echo "the same gradebook, page and records, byte for byte"
}
now() { date +%s.%N; }
between() { echo "$1 $2" | awk '{ printf "%.1f", $2 - $1 }'; }
# Writes the total resident memory of all descendants in MiB, about three times per second.
watch_memory() { # watch_memory FILE
    while sleep 0.3; do
        ps -eo pid=,ppid=,rss= | awk -v root=$$ '{ up[$1] = $2; rss[$1] = $3 }
            END { for (p in up) for (q = p; q in up; q = up[q]) if (q == root) { sum += rss[p]; break } printf "%d\n", sum / 1024 }'
    done >"$1"
}
bench() {
    count=${COUNT:-300}
    class "$count"
    echo "$count submissions of $lab, $(nproc) cores, load $(cut -d' ' -f1 /proc/loadavg)"
    for jobs in ${JOBS:-1 2}; do
        watch_memory "$dir/memory" &
        watcher=$!
        begin=$(now)
        gradebook "$dir/out$jobs" "$jobs" >"$dir/log" 2>&1 || fail "$(tail -3 "$dir/log")"
        seconds=$(between "$begin" "$(now)")
        kill "$watcher"
        wait "$watcher" 2>/dev/null
        echo "-j$jobs: $seconds s, $(echo "$count $seconds" | awk '{ printf "%.2f", $1 / $2 }') submissions per second," \
            "at most $(sort -n "$dir/memory" | tail -1) MiB resident"
    done
    awk -F, 'NR > 1 { n[$5]++ } END { for (s in n) printf "%s %d  ", s, n[s]; print "" }' "$dir/out$jobs/gradebook.csv"
    begin=$(now)
    gradebook "$dir/out$jobs" "$jobs" >/dev/null 2>&1
    echo "again, with nothing to do: $(between "$begin" "$(now)") s; on disk $(du -sm "$dir/out$jobs" | cut -f1) MiB"
}
case $2 in
kill) kill_campaign ;;
bench) bench ;;
one) # a run of the campaign, in a separate session
    trap - EXIT
    rm -rf "$dir"
    dir=$3
    gradebook "$dir/wild" 2
    ;;
esac
