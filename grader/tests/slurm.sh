#!/bin/sh
# slurm.sh BUILD: grades a class on a real local Slurm cluster of munged, slurmctld and four slurmd with one node each, in a temporary
# folder. Two nodes are killed in the middle, and one of them stays down. All submissions must be graded once, with the same results as on
# one machine. COUNT=40 is the number of submissions, and CHUNK=4 that per task. FEW=yes uses few different texts, most of which come from
# the cache. ONLY=lost stops after the test of lost nodes, for which one machine grades only the first 200.
build=$1 kit=$PWD lab=lab3 count=${COUNT:-40}
skip() {
    echo "SKIP test-slurm: $1"
    exit 0
}
PATH=$PATH:/usr/sbin:/sbin
for tool in munged slurmctld slurmd sbatch squeue unifdef; do
    command -v $tool >/dev/null || skip "no $tool: apt-get install slurm-wlm munge"
done
[ "$(id -u)" = 0 ] || skip "slurmd runs as root only"
dir=$(mktemp -d)
chmod 755 "$dir"
export SLURM_CONF="$dir/slurm.conf"
daemons=
finish() {
    for f in "$dir"/*.pid; do [ -f "$f" ] && kill "$(cat "$f")" 2>/dev/null; done
    for p in $daemons; do kill "$p" 2>/dev/null; done
    wait 2>/dev/null
    rm -rf "$dir"
}
trap finish EXIT
trap 'exit 1' INT TERM
fail() {
    echo "FAILED: $1"
    tail -5 "$dir"/*.log "$dir"/far/cluster/*.log 2>/dev/null
    sinfo -N 2>/dev/null
    exit 1
}
unset MAKEFLAGS MAKELEVEL MFLAGS

# ---- the cluster ----
host=$(hostname -s) port=$((20000 + $$ % 20000))
head -c 1024 /dev/urandom >"$dir/munge.key"
chmod 400 "$dir/munge.key"
munged --foreground --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" \
    --log-file="$dir/munged.log" --seed-file="$dir/munge.seed" >/dev/null 2>&1 &
daemons="$daemons $!"
mkdir "$dir/state" "$dir/spool.one" "$dir/spool.two" "$dir/spool.three" "$dir/spool.four"
cat >"$SLURM_CONF" <<CONF
ClusterName=class
SlurmctldHost=$host
SlurmctldPort=$port
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool.%n
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.%n.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SlurmdTimeout=10
SlurmctldTimeout=10
InactiveLimit=0
KillWait=2
MinJobAge=300
JobRequeue=1
GresTypes=gpu
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
NodeName=one NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1 RealMemory=2048 Gres=gpu:1
NodeName=two NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1 RealMemory=2048
NodeName=three NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 3)) CPUs=1 RealMemory=2048
NodeName=four NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 4)) CPUs=1 RealMemory=2048
PartitionName=main Nodes=one,two,three,four Default=YES MaxTime=INFINITE State=UP
CONF
echo "NodeName=one Name=gpu File=/dev/null" >"$dir/gres.conf"
slurmctld -D >/dev/null 2>&1 &
daemons="$daemons $!"
node() { # node NAME: starts its slurmd
    slurmd -D -N "$1" >/dev/null 2>&1 &
    daemons="$daemons $!"
    echo $! >"$dir/node.$1"
}
until_true() { # until_true SECONDS COMMAND...
    n=$1
    shift
    while ! "$@" >/dev/null 2>&1; do
        n=$((n - 1))
        [ "$n" -gt 0 ] || return 1
        sleep 1
    done
}
idle() { [ "$(sinfo -h -N -o %T 2>/dev/null | grep -c idle)" = "$1" ]; }
for n in one two three four; do node $n; done
until_true 60 idle 4 || fail "the nodes do not come up"
echo "slurm $(sinfo -V | cut -d' ' -f2): four nodes are up"

# ---- the class, on one machine and on the cluster ----
unifdef -DSOLUTION solutions/${lab}_*/reduce.cu >"$dir/solution.cu"
"$build/make_class" $lab "$dir/solution.cu" labs/${lab}_*/reduce.cu "$count" "$dir/in"
[ -z "$FEW" ] || find "$dir/in" -name "$lab.cu" -exec sed -i 1d {} + # removes the line that names the student
gradebook() { # gradebook OUT [more]
    out=$1 cache=${CACHE:-$1.cache}
    shift
    POLL=1 CHUNK=${CHUNK:-4} make --no-print-directory -j2 gradebook GRADE_CACHE="$cache" BUILD="$build" SUBMISSIONS="$dir/in" OUT="$out" SEED=5 "$@"
}
marks() { # marks OUT: prints each text's points and status
    tail -n +2 "$1/gradebook.csv" | while IFS=, read -r id _ points _ status _; do
        echo "$(sha256sum <"$dir/in/$id/$lab.cu") $points $status"
    done | sort -u
}
sampled() { [ "$ONLY" = lost ] && [ "$count" -gt 200 ]; }
if sampled; then mkdir "$dir/rest" && mv $(find "$dir/in" -mindepth 1 -maxdepth 1 | sort | tail -n +201) "$dir/rest"; fi
gradebook "$dir/local" >"$dir/local.out" 2>&1 || fail "$(tail -3 "$dir/local.out")"
if sampled; then mv "$dir"/rest/* "$dir/in"; fi
same() {
    for f in gradebook.csv class.json class.html attention.txt; do
        sampled || cmp "$dir/local/$f" "$1/$f" || fail "$f differs from that of one machine"
    done
    if sampled; then
        marks "$1" >"$dir/marks"
        [ "$(cut -d' ' -f1 "$dir/marks" | uniq -d)" = "" ] || fail "one text has two marks"
        marks "$dir/local" | comm -23 - "$dir/marks" | grep . && fail "these marks differ from those of one machine"
    fi
    [ "$(find "$1/records" -type f | wc -l)" = "$count" ] || fail "not one record per submission"
}
records() { [ "$(find "$dir/$1/records" -name '*.json' 2>/dev/null | wc -l)" -ge "$2" ]; } # records OUT COUNT
begin=$(date +%s)
gradebook "$dir/far" CLUSTER=slurm >"$dir/far.out" 2>&1 &
far=$!
until_true 300 records far 3 || fail "nothing is graded: $(cat "$dir/far.out")"
# Kills both nodes and everything that runs on them.
tree() { # tree PID: prints the process and all its descendants
    ps -eo pid=,ppid= | awk -v root="$1" '{ up[$1] = $2 } END { for (p in up) for (q = p; q in up; q = up[q]) if (q == root) { print p; break } }'
}
victims="$(cat "$dir/node.two") $(cat "$dir/node.three")"
for id in $(squeue -h -w two,three -t R -o %A); do
    for p in $(ps -eo pid=,args= | awk -v step="slurmstepd: [$id.batch]" 'index($0, step) { print $1 }'); do
        victims="$victims $(tree "$p")"
    done
done
graded=$(find "$dir/far/records" -name '*.json' | wc -l)
kill -9 $victims 2>/dev/null # some have ended by now
echo "nodes two and three and their $(echo $victims | wc -w) processes were killed with $graded of $count graded"
[ "$graded" -lt "$count" ] || fail "all submissions were graded before the nodes were killed: use more (COUNT=100)"
[ "$(echo $victims | wc -w)" -gt 6 ] || fail "no task ran on the nodes that were killed"
down() { sinfo -h -n "$1" -o %T | grep -q -e down -e unk -e '\*'; }
until_true 60 down two || fail "Slurm does not see that node two is gone"
until_true 60 down three || fail "Slurm does not see that node three is gone"
node two # node two comes back, three does not
wait "$far" || fail "$(tail -5 "$dir/far.out")"
seconds=$(($(date +%s) - begin))
same "$dir/far"
grep '^job' "$dir/far.out"
twice=$(awk 'NR > 1 && $2 != 3 && $2 < 128 { print $1 }' "$dir/far/progress" | sort | uniq -d)
[ -z "$twice" ] || fail "graded twice: $twice"
sampled && shown="the first 200 as on one machine" || shown="as on one machine"
echo "all $count are graded once, $shown, in $seconds s"
[ "$ONLY" != lost ] || exit 0

CACHE=$dir/far.cache # everything is compiled already
# ---- the waiting process is killed; the job continues, and the next run waits for it ----
setsid make --no-print-directory gradebook GRADE_CACHE="$CACHE" POLL=1 CHUNK=10 BUILD="$build" SUBMISSIONS="$dir/in" \
    OUT="$dir/again" SEED=5 CLUSTER=slurm >"$dir/again.out" 2>&1 &
waiter=$!
until_true 60 records again 2 || fail "nothing is graded: $(cat "$dir/again.out")"
kill -9 $(ps -o pid= -s $waiter)
gradebook "$dir/again" CLUSTER=slurm >"$dir/again.out" 2>&1 || fail "$(tail -5 "$dir/again.out")"
grep -q 'of an earlier run is still running' "$dir/again.out" || fail "the job was not found again: $(cat "$dir/again.out")"
grep -q '^job [0-9]*: ' "$dir/again.out" && fail "a second job was submitted: $(cat "$dir/again.out")"
same "$dir/again"
echo "killed while it waited: the job continued, and the next run found it"

# ---- with GPU=1 only the node with a GPU is used ----
gradebook "$dir/gpu" CLUSTER=slurm GPU=1 DEVICE=sim >"$dir/gpu.out" 2>&1 || fail "$(tail -5 "$dir/gpu.out")"
same "$dir/gpu"
job=$(sed -n 's/^job \([0-9]*\):.*/\1/p' "$dir/gpu.out" | head -1)
nodes=$(scontrol -o show job "$job" | sed -n 's/.* NodeList=\([^ ]*\).*/\1/p' | sort -u | tr '\n' ' ')
[ "$nodes" = "one " ] || fail "tasks that need a GPU ran on: $nodes"
echo "GPU=1: used only node one"
