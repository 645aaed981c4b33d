#!/bin/sh
# campaign.sh BUILD: runs every target of `make help` in a copy of the kit, and prints a table of target, result and time.
#
# The Makefile states the requirements of a target after its text: "## COMMAND:PACKAGE root gpu NAME=VALUE". A target whose
# requirement is missing is skipped, and the table names the package. Targets that need a GPU are always skipped. Targets that
# write into the kit (docs, figures, gallery, format, clean) write into the copy, BUILD/campaign/kit.
#
#   TARGETS="lint test"   runs only these
#   RESUME=1              after an interruption, skips targets that have passed if the kit's files are unchanged
#   TIMEOUT=7200          time limit per target in seconds
#
# BUILD/campaign/table.txt gets a line after each target, and therefore survives an interruption. BUILD/campaign/NAME.log
# contains the output of a target. Exit status: 0 all passed or were skipped, 1 some failed, 130 interrupted.
build=$1
here=$PWD
out=$build/campaign
table=$out/table.txt
mkdir -p "$out"
unset MAKEFLAGS MAKELEVEL MFLAGS BUILD GRADE GRADE_CACHE KERNEL_CACHE

# ---- the copy --------------------------------------------------------------------------------------------------------------
# Copies the current files, tracked or new, to a new repository, because lint gets the list of files from git.
files() { git ls-files -co --exclude-standard -z | sort -zu; }
state=$(files | xargs -0 sha256sum 2>/dev/null | sha256sum | cut -d' ' -f1)
if [ -z "${RESUME:-}" ] || [ "$state" != "$(cat "$out/state" 2>/dev/null)" ]; then
    [ -z "${RESUME:-}" ] || echo "the kit's files have changed, or there is nothing to resume: all targets run"
    rm -rf "$out" && mkdir -p "$out/kit"
    files | tar --create --null --ignore-failed-read --files-from - 2>/dev/null | tar --extract --directory "$out/kit"
    (cd "$out/kit" && git init -q && git add -A && git -c user.name=campaign -c user.email=campaign@example.org commit -qm kit) || exit
    # a class for make gradebook: a solution and a skeleton
    mkdir -p "$out/kit/handed-in/s001" "$out/kit/handed-in/s002"
    unifdef -DSOLUTION "$here"/solutions/lab3_*/reduce.cu >"$out/kit/handed-in/s001/lab3.cu"
    cp "$here"/labs/lab3_*/reduce.cu "$out/kit/handed-in/s002/lab3.cu"
    echo "$state" >"$out/state"
fi
cd "$out/kit" || exit

# ---- the targets -----------------------------------------------------------------------------------------------------------
# Prints "NAME WORD..." for each target in the order of the Makefile, followed by those of the .mk files. Omits this target and those of
# handout.mk.
awk '/^#: / { words = $0 ~ / ## / ? $0 : ""; sub(/.* ## /, "", words); seen = 1; next }
    /^[a-z$][^:=]*:/ && seen { split($0, name, ":"); print name[1] == "$(LABS)" ? "labs" : name[1], words }
    { seen = 0 }' Makefile $(ls grader/*/*.mk | grep -v /handout.mk) | grep -v '^campaign' >"$out/targets"
labs=$(ls -d labs/lab*_* | sed 's:labs/\([^_]*\)_.*:\1:' | sort -V | tr '\n' ' ')
missing() { # missing WORD...: prints why the target cannot run here, or nothing
    for word; do
        case $word in
        gpu) echo "needs a GPU" ;;
        root) [ "$(id -u)" = 0 ] || echo "needs to be root" ;;
        *=*) ;;
        *:*) command -v "${word%%:*}" >/dev/null || echo "no ${word%%:*}: sudo apt-get install ${word#*:}" ;;
        esac
    done | head -1
}
row() { # row TARGET RESULT SECONDS NOTE
    printf '%-18s %-8s %6s  %s\n' "$1" "$2" "$3" "$4" | tee -a "$table"
}
summary() {
    awk 'NR > 1 { n[$2]++; if ($2 == "failed") which = which " " $1; t += $3 }
        END { printf "%d passed, %d failed, %d skipped in %d s", n["passed"], n["failed"], n["skipped"], t
              print which ? "; failed:" which : ""
              exit n["failed"] > 0 }' "$table"
}
interrupted() {
    trap '' INT TERM
    echo
    echo "interrupted during $target; results so far:"
    cat "$table"
    summary
    echo "make campaign RESUME=1 continues"
    exit 130
}
trap interrupted INT TERM

if [ -f "$table" ]; then grep ' passed ' "$table" >"$out/before"; else : >"$out/before"; fi
printf '%-18s %-8s %6s  %s\n' target result s note | tee "$table"
count=$(wc -l <"$out/targets") k=0
while read -r target words <&3; do
    k=$((k + 1))
    case " ${TARGETS:-$target} " in *" $target "*) ;; *) continue ;; esac
    if grep "^$target  *passed " "$out/before" | tee -a "$table" | grep .; then continue; fi
    why=$(missing $words)
    if [ -n "$why" ]; then
        row "$target" skipped - "$why"
        continue
    fi
    [ ! -t 1 ] || printf '%d of %d: %s ...\r' $k "$count" "$target"
    arguments=
    for word in $words; do case $word in *=*) arguments="$arguments $word" ;; esac; done
    goals=$target
    [ "$target" != labs ] || goals=$labs
    started=$(date +%s)
    timeout --foreground "${TIMEOUT:-7200}" make ${CC:+CC="$CC"} $goals $arguments >"$out/$target.log" 2>&1 3<&-
    status=$?
    seconds=$(($(date +%s) - started))
    note=$(grep -m1 -E '^(SKIP|skipped)' "$out/$target.log" | cut -c1-90)
    if [ $status = 0 ]; then
        row "$target" passed $seconds "$note"
    else
        row "$target" failed $seconds "$([ $status = 124 ] && echo "took over ${TIMEOUT:-7200} s; ")see $out/$target.log"
    fi
done 3<"$out/targets"
echo
summary
