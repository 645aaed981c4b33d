#!/bin/sh
# sandbox_cost.sh BUILD: measures the cost of the sandbox. Grades each lab's solution as a submission, alternating with and without the
# sandbox, with PTX from the cache. Prints the CPU time of all processes, the minimum over ROUNDS rounds. COLD=1 compiles each time. Needs root,
# because a control group measures the processes in bubblewrap.
build=$1 rounds=${ROUNDS:-5}
dir=$(mktemp -d)
group=/sys/fs/cgroup/cpuacct/sandbox-cost-$$ used=cpuacct.usage
[ -d /sys/fs/cgroup/cpuacct ] || group=/sys/fs/cgroup/sandbox-cost-$$ used=cpu.stat
mkdir "$group" || exit 1
trap 'rm -rf "$dir"; sleep 1; rmdir "$group"' EXIT
export GRADE_CACHE="$dir/cache"
so_far() { awk 'NR == 1 { print $1 == "usage_usec" ? $2 / 1e3 : $1 / 1e6 }' "$group/$used"; } # milliseconds
cost() { # cost LAB OPTION
    [ -z "$COLD" ] || GRADE_CACHE=$(mktemp -d -p "$dir")
    before=$(so_far)
    sh -c 'echo $$ >"$0/cgroup.procs"; exec "$@"' "$group" "$build/grade" "$1" --submission "$dir/$1/reduce.cu" --seed 5 --device sim \
        --no-pictures --no-fix -q "$2" >"$dir/said" 2>&1 || { cat "$dir/said" >&2; return 1; }
    sleep 0.05
    echo "$before $(so_far)" | awk '{ printf "%.0f", $2 - $1 }'
}
echo "load $(cut -d' ' -f1 /proc/loadavg); milliseconds of CPU time, with the sandbox and without"
for solution in $(ls solutions/lab*/reduce.cu | sort -V); do
    folder=${solution%/*} lab=${solution#solutions/}
    lab=${lab%%_*}
    mkdir "$dir/$lab"
    unifdef -DSOLUTION "$solution" >"$dir/$lab/reduce.cu"
    cp "$folder/predictions.txt" "$dir/$lab/"
    cost "$lab" --sandbox >/dev/null || exit 1 # compiles
    cost "$lab" --no-sandbox >/dev/null
    k=0
    while [ "$k" -lt "$rounds" ]; do
        k=$((k + 1))
        echo "$lab $(cost "$lab" --sandbox) $(cost "$lab" --no-sandbox)"
    done
done | awk '
    !($1 in with) { order[++labs] = $1; with[$1] = $2; without[$1] = $3 }
    { if ($2 < with[$1]) with[$1] = $2; if ($3 < without[$1]) without[$1] = $3 }
    END { for (k = 1; k <= labs; k++) { l = order[k]; a += with[l]; b += without[l]; printf "%-6s %5d %5d\n", l, with[l], without[l] }
          printf "all    %5d %5d  %+.1f%%\n", a, b, 100 * (a / b - 1) }'
