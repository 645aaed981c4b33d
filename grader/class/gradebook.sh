#!/bin/sh
# gradebook.sh BUILD, in the kit's folder: implements `make gradebook`. Imports the submissions, grades those whose
# record is out of date, and summarizes the class. Without SUBMISSIONS, OUT must contain an earlier import.
# Environment: MAKE SUBMISSIONS OUT LAB SHAPE ROSTER DEVICE COMPILER SEED NO_SANDBOX FIXES CLUSTER, the variables of CLUSTER.sh, and
# GIVEN, the names of the variables on make's command line.
build=$1 submissions=$SUBMISSIONS imports= out=${OUT:-$1/class}
grade=$PWD/$build/grade
case $build in /*) grade=$build/grade ;; esac
if [ -z "$submissions" ] && [ ! -f "$out/units" ]; then
    echo "which submissions? make gradebook SUBMISSIONS=FOLDER; docs/instructor.md says what the folder may contain" >&2
    exit 2
fi
if [ -n "$CLUSTER" ] && [ "$CLUSTER" != slurm ]; then
    echo "no cluster \`$CLUSTER\`: the only one is CLUSTER=slurm" >&2
    exit 2
fi
known="SUBMISSIONS LAB OUT SHAPE ROSTER SEED CUDA DEVICE GPU NO_SANDBOX FIXES CLUSTER CHUNK CPUS MEMORY ATTEMPTS SLURM_OPTIONS"
[ "${MAKELEVEL:-1}" -le 1 ] || GIVEN= # another makefile's variables
for name in $GIVEN; do
    case " LAB SHAPE ROSTER SEED CUDA DEVICE GPU NO_SANDBOX FIXES " in *" $name "*) imports="$imports $name" ;; esac
    case " $known POLL BUILD GRADE_CACHE V CC CFLAGS MAKEFLAGS " in *" $name "*) continue ;; esac
    echo "make gradebook has no variable $name, only $known" >&2
    exit 2
done
if [ -z "$submissions" ] && [ -n "$imports" ]; then
    echo "without SUBMISSIONS, nothing is imported, so these variables have no effect:$imports; add SUBMISSIONS=FOLDER" >&2
    exit 2
fi
# Results among the submissions would be imported as submissions, and an import replaces the copies in OUT.
from=$(realpath -m -- "${submissions:-/dev/null}")/ to=$(realpath -m -- "$out")/
case $from in "$to"*) inside=1 ;; esac
case $to in "$from"*) inside=1 ;; esac
if [ -n "$inside" ]; then
    echo "SUBMISSIONS=$submissions and OUT=$out: one of these folders contains the other; choose another OUT" >&2
    exit 2
fi
if [ -e "$out" ] && [ ! -d "$out" ]; then
    echo "OUT=$out is not a folder: choose another OUT" >&2
    exit 2
fi
# An import replaces or removes files and folders of OUT, so a folder of the user's own is refused. An earlier run left the lock and settings.
if [ -n "$submissions" ] && [ ! -e "$out/lock" ] && [ ! -L "$out/lock" ] && [ ! -e "$out/settings.json" ]; then
    other=$(ls -A -- "$out" 2>/dev/null | grep -vxE '(overrides|extensions)\.csv' | head -n 1)
    if [ -n "$other" ]; then
        echo "OUT=$out contains files that make gradebook did not write (such as $other) and might replace: choose a new folder" >&2
        exit 2
    fi
fi
# Only one run at a time works on a folder. If a run is killed, its remaining processes hold the lock until they exit.
mkdir -p "$out" || exit 3
if command -v flock >/dev/null; then
    touch "$out/lock" || exit 3 # a failed exec would end the shell with status 2
    exec 9>"$out/lock"
    flock -n 9 || { echo "another make gradebook is running in $out; this one waits until it ends" >&2; flock 9 || exit 3; }
fi
[ -n "$submissions" ] || echo "$out: no new import; uses the submissions of the last one"
[ -z "$submissions" ] || "$grade" class import "$submissions" "$out" --lab "$LAB" --shape "$SHAPE" --roster "$ROSTER" --device "$DEVICE" \
    --compiler "$COMPILER" ${NO_SANDBOX:+--no-sandbox} ${FIXES:+--fixes} 9>&- || exit # programs that unpack untrusted archives must not inherit the lock
kit=$PWD program=$grade
case $PWD in
*[[:space:]]*) # a makefile cannot contain such a path
    ln -sfn "$PWD" "$out/kit" || exit 3
    kit=kit program=kit/${grade#"$PWD"/} ;;
esac
records() {
    ${MAKE:-make} --no-print-directory -C "$out" -f "$PWD/grader/class/gradebook.mk" KIT="$kit" GRADE="$program" "$@" records
}
records -n | sed -n 's/.* class grade \. //p' >"$out/todo" || exit
count=$(wc -l <"$out/todo")
if [ "$count" -gt 0 ]; then
    "$grade" class begin "$out" --count "$count" || exit
    if [ -n "$CLUSTER" ]; then
        sh "grader/class/$CLUSTER.sh" "$grade" "$out"
    else
        records -k
    fi || echo "not all submissions were graded" >&2
fi
exec "$grade" class report "$out"
