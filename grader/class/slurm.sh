#!/bin/sh
# slurm.sh GRADE OUT, in the kit's folder: grades the submissions that are out of date (OUT/todo) on a Slurm cluster. All nodes must share
# the file system of the kit and OUT.
#
# An array job divides the list into chunks. Each of its tasks runs Make on one chunk, and Slurm restarts a task whose node fails. If the
# job leaves submissions ungraded, another job follows, up to ATTEMPTS jobs in total. After an interruption, the next run waits for the job
# of the interrupted one.
#
#   CHUNK          submissions per task (default 16)        GPU=1          a GPU for each task: --gres=gpu:1
#   CPUS           cores per task (default 1)               ATTEMPTS       maximum number of jobs (default 3)
#   MEMORY         memory per core (default 1G)
#   SLURM_OPTIONS  additional options for sbatch, such as --partition=teaching --time=2:00:00
grade=$1 out=$2 kit=$PWD
out=$(cd "$out" && pwd) || exit 3
chunk=${CHUNK:-16} cpus=${CPUS:-1} memory=${MEMORY:-1G} attempts=${ATTEMPTS:-3}
most_tasks=1000 # Slurm's default limit for an array
poll=${POLL:-5}
for tool in sbatch squeue scontrol; do
    command -v $tool >/dev/null || { echo "CLUSTER=slurm needs $tool, of Slurm, on this machine" >&2; exit 3; }
done
mkdir -p "$out/cluster"

left() { # prints the units whose records are out of date
    env -u MAKEFLAGS "${MAKE:-make}" -n --no-print-directory -C "$out" -f "$kit/grader/class/gradebook.mk" KIT="$kit" GRADE="$grade" records |
        sed -n 's/.* class grade \. //p'
}
# Writes the script of a task with all its settings. A task does not inherit this shell's environment, which contains the seed.
write_task() { # write_task CHUNK
    cat >"$out/cluster/task.sh" <<TASK
#!/bin/sh
cd '$out' || exit 3
from=\$((SLURM_ARRAY_TASK_ID * $1 + 1)) to=\$(((SLURM_ARRAY_TASK_ID + 1) * $1))
export PATH='$PATH' GRADE_CACHE='${GRADE_CACHE:-$kit/build/cache}'
exec make --no-print-directory -k -j$cpus -f '$kit/grader/class/gradebook.mk' KIT='$kit' GRADE='$grade' \\
    UNITS="\$(sed -n "\$from,\${to}p" cluster/units | tr '\n' ' ')" records
TASK
}
running() { # succeeds if the job is still running
    said=$(squeue -h -j "$1" -o %i 2>&1) && { [ -n "$said" ]; return; }
    case $said in *"Invalid job id"*) return 1 ;; esac
    return 0 # no answer: assume that the controller is down temporarily
}
wait_for() {
    tick=0
    trap 'echo; echo "job $1 continues: run make gradebook again to wait for it, or end it with scancel $1" >&2; exit 3' INT TERM
    while running "$1"; do
        sleep "$poll"
        tick=$((tick + 1)) # without a terminal, print only every sixth line
        [ -t 2 ] || [ $((tick % 6)) = 0 ] || continue
        "$grade" class progress "$out"
    done
    trap - INT TERM
}
submit() {
    count=$(wc -l <"$out/cluster/units")
    [ $((count / most_tasks)) -lt "$chunk" ] || chunk=$((count / most_tasks + 1))
    write_task "$chunk"
    # shellcheck disable=SC2086 # options are words
    job=$(sbatch --parsable --export=NONE --requeue --job-name=gradebook --array="0-$(((count - 1) / chunk))" --ntasks=1 \
        --cpus-per-task="$cpus" --mem-per-cpu="$memory" ${GPU:+--gres=gpu:1} --output="$out/cluster/%A_%a.log" --open-mode=append $SLURM_OPTIONS \
        "$out/cluster/task.sh") || return
    job=${job%%;*}
    echo "$job" >"$out/cluster/job"
    echo "job $job: $count submissions in $(((count + chunk - 1) / chunk)) tasks"
}

# Wait for an earlier run's job first.
job=$(cat "$out/cluster/job" 2>/dev/null)
if [ -n "$job" ] && running "$job"; then
    echo "job $job of an earlier run is still running"
    wait_for "$job"
fi
attempt=0
while left >"$out/cluster/units" && [ -s "$out/cluster/units" ]; do
    attempt=$((attempt + 1))
    [ "$attempt" -le "$attempts" ] || { echo "submissions left after $attempts jobs: $(wc -l <"$out/cluster/units")" >&2; exit 1; }
    submit || exit 3
    wait_for "$job"
done
rm -f "$out/cluster/job"
