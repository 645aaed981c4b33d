#!/bin/sh
# cross_check.sh CHECK_KERNELS FOLDER: compares the simulator's findings with those of Oclgrind, kernel by kernel.
#
# grader/tests/cross_check/NAME.cl is the OpenCL version of {wrong,right}_kernels/NAME.cu. The header of the .cu file defines
# the launch and the arguments, and dynamic shared memory is the last argument of the OpenCL version. A line "// differs: why"
# in the .cl file explains a difference. A difference without an explanation is an error, as is an explanation without a difference.
check=$1 dir=$2/cross_check
if ! command -v oclgrind-kernel >/dev/null; then
    echo "SKIP cross-check: Oclgrind is not installed: sudo apt-get install oclgrind"
    exit 0
fi
mkdir -p "$dir"
SHOW_FINDINGS=1 "$check" >"$dir/ours.txt" || { tail -5 "$dir/ours.txt"; exit 1; }

if grep '^SKIP ' "$dir/ours.txt"; then exit 0; fi

# Kinds of findings that both tools can report.
kinds_of() {
    for k in race bounds barrier uninitialized; do
        case " $* " in *" $k "*) printf '%s ' $k ;; esac
    done
}
ours() {
    kinds_of $(awk -v name="$1" 'BEGIN { FS = ":" } $1 == name { print $2 }' "$dir/ours.txt" | awk '{ print $2 }' | sed '
        s/^race.*/race/; s/^out-of-bounds$\|^null-access$/bounds/; s/^barrier.*\|^deadlock$/barrier/; s/^uninitialized.*/uninitialized/')
}
theirs() {
    kinds_of $(sed -n 's/.*data race.*/race/p; s/^Invalid \(read\|write\).*/bounds/p; s/^Work-group divergence.*/barrier/p
        s/^Uninitialized.*/uninitialized/p' "$1" | sort -u)
}
# Writes the simulation file of Oclgrind: kernel, global and local size, and one line per argument.
describe() { # describe FILE.cu FILE.cl
    awk -v cl="$2" '
        function bytes(type) { return type == "double" || type == "u64" || type == "i64" ? 8 : type == "u8" ? 1 : 4 }
        function word(type) { return type == "u32" ? "uint" : type == "i32" ? "int" : type }
        BEGIN { grid = 1; block = 32; shared = 0 }
        !/^\/\// { exit }
        /^\/\/ launch:/ {
            for (i = 3; i <= NF; i++) { split($i, part, "="); given[part[1]] = part[2] }
            if (given["grid"]) grid = given["grid"]
            if (given["block"]) block = given["block"]
            if (given["shared"]) shared = given["shared"]
        }
        /^\/\/ arg: null/ { argument[++n] = "<null>"; next }
        /^\/\/ arg: .*\[/ {
            split($3, part, "[\\[\\]:]+"); size = part[2] * bytes(part[1]); fill = part[3]
            filled = fill == "out" ? " noinit" : fill == "zero" ? " fill=0" : fill == "ones" ? " fill=1" : " range=0:1:" part[2] - 1
            argument[++n] = "<size=" size " " word(part[1]) filled ">"
            next
        }
        /^\/\/ arg:/ { argument[++n] = "<size=" bytes($3) " " word($3) ">\n" $4 }
        END {
            print cl "\ntwin\n" grid * block " 1 1\n" block " 1 1"
            for (i = 1; i <= n; i++) print argument[i]
            if (shared) print "<size=" shared ">"
        }' "$1"
}

printf '%-28s %-24s %-24s\n' kernel ours Oclgrind
same=0 explained=0 failed=0
for cl in grader/tests/cross_check/*.cl; do
    name=$(basename "$cl" .cl)
    cu=$(ls grader/tests/wrong_kernels/"$name".cu grader/tests/right_kernels/"$name".cu 2>/dev/null)
    [ -n "$cu" ] || { echo "cross-check: $cl has no corresponding .cu file"; exit 1; }
    describe "$cu" "$PWD/$cl" >"$dir/$name.sim"
    timeout 60 oclgrind-kernel --build-options -cl-opt-disable --max-errors 200 --data-races --uniform-writes --uninitialized \
        "$dir/$name.sim" >"$dir/$name.txt" 2>&1
    a=$(ours "$name") b=$(theirs "$dir/$name.txt") why=$(sed -n 's|^// differs: ||p' "$cl")
    if [ "$a" = "$b" ]; then
        same=$((same + 1)) verdict=
        [ -z "$why" ] || failed=$((failed + 1)) verdict="no difference, although the .cl file says: $why"
    elif [ -n "$why" ]; then
        explained=$((explained + 1)) verdict=$why
    else
        failed=$((failed + 1)) verdict="DIFFERS"
    fi
    printf '%-28s %-24s %-24s %s\n' "$name" "${a:--}" "${b:--}" "$verdict"
done
echo "$same same, $explained differ for a known reason, $failed differ"
[ "$failed" = 0 ]
