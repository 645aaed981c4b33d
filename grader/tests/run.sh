#!/bin/sh
# Runs test programs and prints the totals. Four programs run at a time, because some of them mostly wait.
#
#   run.sh BUILD NAME...     runs BUILD/check_x ..., and writes the totals to BUILD/tests.txt; exit status 1 if any test fails
#   run.sh sum BUILD...      prints the totals of several such runs as its last line
#
# The source of a test says how to run the test, in one or two lines of this form. All words are optional:
#
#   /* run: plain, 14 s, gpu */      plain: only without sanitizers, which slow down the command and compilers but find little
#                                    there. sanitized: only with sanitizers, for code that handles text in the same way in
#                                    every build. Otherwise, the test runs both ways. apart: make test-additions runs the test
#                                    instead of make test. 14 s: duration; long tests start early. gpu: part of make test-gpu;
#                                    "gpu in 4 parts": in 4 processes; "gpu alone": while no other test runs
#   /* reads: grade labs docs/x */   everything that the test reads: files and folders of the kit, and `grade`, the command. The
#                                    test runs in a folder without other files, and without $GRADE unless `grade` is listed,
#                                    so it fails if it reads a file that is not listed. Without this line, it may read everything
#
# A program that has passed runs again only if something that it depends on has changed: its own bytes, the files that it reads,
# the command and its files if `grade` is listed, the machine and its tools, or an environment variable that the kit uses.
# TURN, which selects rows (effort.h), does not count. FRESH=1 runs all programs. CI=true does, too, and stores no inputs for later runs.
# Failures are never cached.
#
# The last line of a program's output is that of Check: "NN%: Checks: N, Failures: N, Errors: N". A line "SKIP name: reason" names a test
# that did not run.

if [ "$1" = sum ]; then
    shift
    for build; do cat "$build/tests.txt" 2>/dev/null || echo "0 passed 1 failed 0 skipped 0 remembered of 1"; done | awk '
        { passed += $1; failed += $3; skipped += $5; remembered += $7; programs += $10 }
        END {
            said = "of %d programs not run again: their inputs are unchanged (FRESH=1 runs all)\n"
            if (remembered) printf "%d " said, remembered, programs
            printf "%d passed, %d failed, %d skipped\n", passed, failed, skipped
            exit failed > 0
        }'
    exit
fi

build=$1
shift
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$build/passed"
rm -f "$build/tests.txt"
kit=$PWD
# Under sanitizers, freed memory stays poisoned for 16 MiB of later frees instead of 256 MiB, and traces contain ten callers instead of
# thirty, which saves a tenth of the time. ASAN_OPTIONS in the environment override these settings.
ASAN_OPTIONS=quarantine_size_mb=16:malloc_context_size=10${ASAN_OPTIONS:+:$ASAN_OPTIONS}
# A test may take a minute instead of four seconds, because the machine may be busy.
: "${CK_DEFAULT_TIMEOUT:=60}"
# Four programs run at a time, so each grade takes one core: a second compiler process costs more than it saves.
: "${GRADE_CORES:=1}"
export dir build kit ASAN_OPTIONS CK_DEFAULT_TIMEOUT GRADE_CORES

fresh=${FRESH:-}
case ${CI:-} in '' | 0 | false) ci= ;; *) ci=1 fresh=1 ;; esac

# ---- the inputs of tests ------------------------------------------------------------------------------------------------
list_inputs() {
    # Lists every file of the kit except build output, as "HASH  ./path", one per line.
    find . -name .git -prune -o -path './build*' -prune -o -path ./grade -prune -o -type f -print0 | sort -z |
        xargs -0 sha256sum >"$dir/files"
    # Lists the machine, its packages and tools, and the variables that the kit's programs use.
    {
        uname -mnr && id -u && nproc && pwd
        grep -m1 '^flags' /proc/cpuinfo
        ls /dev | grep '^nvidia'
        stat -c '%n %Y %s' /var/lib/dpkg/status $(for tool in nvcc clang bwrap unifdef chromium chromedriver xmllint ncu \
            compute-sanitizer nvidia-smi jq node; do readlink -f "$(command -v $tool)"; done) /usr/local/cuda/bin/nvcc \
            /usr/local/cuda/lib*/libnvrtc.so*
        for v in $(grep -rhoE 'getenv\("[A-Z_]+"\)' grader common | sed 's/.*"\(.*\)".*/\1/' | sort -u) CK_FORK CK_RUN_CASE \
            ASAN_OPTIONS UBSAN_OPTIONS LD_LIBRARY_PATH LANG LC_ALL; do
            case $v in GRADE_CACHE | KERNEL_CACHE | MAKEFLAGS | GRADE | PATH | TURN) ;; *) eval "echo $v=\"\${$v-}\"" ;; esac
        done
    } >"$dir/machine" 2>/dev/null
    (cd "$build" && sha256sum grade "$@") >"$dir/programs"
}
[ "$ci" ] || list_inputs "$@"

key_of() { # NAME: prints a hash of everything that the test depends on
    said=$(sed -n 's|^/\* reads: \(.*\) \*/$|\1|p' "grader/tests/$1.c")
    {
        cat "$dir/machine" && echo "reads $said"
        grep "  $1\$" "$dir/programs"
        case " ${said:-grade} " in *" grade "*) grep '  grade$' "$dir/programs" ;; esac
        case " $said " in
        "  ") cat "$dir/files" ;;
        *" grade "*) grep -E '  \./(labs|solutions|common|grader/ladder)/' "$dir/files" ;;
        esac
        for path in $said; do grep -E "  \./$path(/|\$)" "$dir/files"; done
    } | sha256sum | cut -d' ' -f1
}

# ---- one program ---------------------------------------------------------------------------------------------------------
# Runs a test in a folder that contains only the files that it reads (folders are links, for speed), or in the kit's folder.
cat >"$dir/one" <<'END'
n=$1
said=$(sed -n 's|^/\* reads: \(.*\) \*/$|\1|p' "$kit/grader/tests/$n.c")
started=$(date +%s)
case $build in /*) program=$build/$n ;; *) program=$kit/$build/$n ;; esac
case " ${said:-grade} " in *" grade "*) ;; *) unset GRADE ;; esac
if [ -n "$said" ]; then
    root=$(dirname "$program")/reads/$n
    rm -rf "$root" && mkdir -p "$root" && cd "$root" || exit
    for path in $said; do
        [ -e "$kit/$path" ] || continue # grade, nothing
        mkdir -p "$(dirname "$path")" && if [ -d "$kit/$path" ]; then ln -s "$kit/$path" "$path"; else cp "$kit/$path" "$path"; fi
    done
fi
# Forking a large process costs more than most tests. Programs that also run with sanitizers, where Check does not fork, need no fork here.
grep -q '^/\* run:.*\<plain\>' "$kit/grader/tests/$n.c" || export CK_FORK="${CK_FORK:-no}"
timeout 900 "$program" >"$dir/$n.out" 2>&1 # without forks, Check sets no time limit
rc=$?
times >"$dir/$n.times" # `times` prints the times of the shell and of its children
work=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "[ms]"); sum += 60 * t[1] + t[2] } printf "%.1f", sum }' "$dir/$n.times")
set -- $(sed -n 's/.*Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1 \2 \3/p' "$dir/$n.out" |
    awk '{ c += $1; f += $2 + $3 } END { print c + 0, f + 0 }')
[ $rc = 0 ] || [ "$2" -gt 0 ] || set -- $(($1 + 1)) 1 # the program exited before Check printed its counts
grep '^SKIP ' "$dir/$n.out"
printf '%-22s %4d passed, %d failed %5d s, %6s s of CPU time\n' "$n" $(($1 - $2)) "$2" $(($(date +%s) - started)) "$work"
echo "$(($1 - $2)) passed $2 failed $(grep -c '^SKIP ' "$dir/$n.out") skipped" >"$dir/$n.sums"
[ "$2" = 0 ] || exit 0
{ cat "$dir/$n.key" "$dir/$n.sums"; grep '^SKIP ' "$dir/$n.out"; } >"$dir/$n.stamp"
cd "$kit" && mv "$dir/$n.stamp" "$build/passed/$n"
END

# ---- all of them, the slowest first ----------------------------------------------------------------------------
remembered=0
for n; do
    if [ "$ci" ]; then echo unknown; else key_of "$n"; fi >"$dir/$n.key"
    if [ -z "$fresh" ] && [ "$(head -1 "$build/passed/$n" 2>/dev/null)" = "$(cat "$dir/$n.key")" ]; then
        remembered=$((remembered + 1))
        sed -n 2p "$build/passed/$n" >"$dir/$n.sums"
        sed -n '3,$p' "$build/passed/$n"
    else
        rm -f "$build/passed/$n"
        echo "$(sed -n 's|^/\* run: .*\<\([0-9]*\) s\>.*|\1|p' "grader/tests/$n.c" | grep . || echo 0) $n" >>"$dir/todo"
    fi
done
[ ! -f "$dir/todo" ] || sort -srn "$dir/todo" | cut -d' ' -f2 | xargs -P 4 -n 1 sh "$dir/one"
for n; do grep -q ' 0 failed ' "$dir/$n.sums" || cat "$dir/$n.out"; done
cat "$dir"/*.sums | awk -v r=$remembered -v n=$# '{ p += $1; f += $3; s += $5 }
    END { print p, "passed", f, "failed", s, "skipped", r, "remembered of", n > "'"$build"'/tests.txt"; exit f > 0 }'
