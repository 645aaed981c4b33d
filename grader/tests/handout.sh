#!/bin/sh
# handout.sh BUILD: tests the students' archive. Creates it twice, unpacks it in a different folder, searches it for solutions, builds it, and
# grades skeletons (0 points) and pasted solutions (100 points, with the same record as in the kit) with each available compiler.
# COMPILERS="nvrtc" selects compilers. GIVEAWAY=no omits check_giveaway; LAB=lab3 limits check_giveaway to lab 3.
set -eu
build=$(realpath "$1") here=$PWD
work=$(mktemp -d /tmp/test-handout-XXXXXX)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAIL: $1"; exit 1; }
unset GRADE_CACHE KERNEL_CACHE CUDA BUILD MAKEFLAGS MAKELEVEL

make --no-print-directory -s BUILD="$build" handout
archive=$build/handout/reduction-labs-handout.tar.gz
mkdir "$work/elsewhere" # the archive must have the same bytes when it is created in another folder without compiled files
cp -r Makefile LICENSE .gitignore labs common docs solutions grader "$work/elsewhere"
cp "$build/grade" "$work/elsewhere/grade" # NVRTC runs in a program of this name
(cd "$work/elsewhere" && sh grader/release/handout.sh pack kit "$PWD/grade" reduction-labs-handout.tar.gz)
cmp "$work/elsewhere/reduction-labs-handout.tar.gz" "$archive" || fail "made in another folder, the archive differs"
rm -rf "$work/elsewhere"
echo "ok: two archives have the same bytes"

tar xzf "$archive" -C "$work"
kit=$work/reduction-labs-handout
HANDOUT=$kit GRADE=$build/grade "$build/check_handout" >"$work/log" 2>&1 || { cat "$work/log"; fail "the archive's files"; }
tail -1 "$work/log"
solutions=$PWD/solutions
cd "$kit"
make --no-print-directory lab3 >"$work/log" 2>&1 || { cat "$work/log"; fail "make lab3"; }
! grep -i warning "$work/log" || fail "warnings"
./grade lab3 >"$work/log" && fail "the skeleton of lab3 is full" || [ $? = 1 ] || fail "./grade lab3 exits $?"
grep -q "^lab3: 0 of 100 points" "$work/log" || fail "the skeleton of lab3: $(cat "$work/log")"
make --no-print-directory test >"$work/log" 2>&1 || { cat "$work/log"; fail "make test in the handout"; }
./grade release links || fail "links of the handout"
./grade lab3 --solution >"$work/log" 2>&1 && fail "--solution works in a handout" || [ $? = 3 ] || fail "--solution: exit status $?"
./grade ladder --json "$work/ladder" >"$work/log" || fail "./grade ladder: $(cat "$work/log")"
grep -q "^B3 .*[0-9]" "$work/log" || fail "./grade ladder shows no B3: $(cat "$work/log")"
./grade ladder --op min_i32 >"$work/log" 2>&1 && fail "./grade ladder runs kernels" || [ $? = 2 ] || fail "./grade ladder --op: exit status $?"
echo "ok: README's commands"
if [ "${GIVEAWAY:-}" != no ]; then
    (cd "$here" && HANDOUT=$kit GRADE=$build/grade "$build/check_giveaway") >"$work/log" 2>&1 ||
        { cat "$work/log"; fail "a pasted text of the archive gets too many points"; }
    echo "ok: no text of the archive gets more than a few points when pasted"
fi

for compiler in ${COMPILERS:-nvrtc nvcc clang}; do
    ./grade lab0 --compiler $compiler --compile-only >/dev/null 2>&1 || { echo "skipped: no $compiler"; continue; }
    ./grade --list | while read -r id name _; do
        lab=${id}_$name
        ./grade "$id" --compiler $compiler --quiet >"$work/log" || true
        grep -q "^$id: 0 of 100 points" "$work/log" || fail "$compiler: skeleton of $id: $(cat "$work/log")"
        mkdir -p "$work/handed-in"
        (echo "#define SOLUTION"; cat "$solutions/$lab/reduce.cu") >"$work/handed-in/reduce.cu"
        cp "$solutions/$lab/predictions.txt" "$work/handed-in"
        ./grade "$id" --compiler $compiler --submission "$work/handed-in/reduce.cu" --quiet >"$work/log" ||
            fail "$compiler: solution of $id: $(cat "$work/log")"
        for grade in ./grade "$build/grade"; do
            "$grade" "$id" --compiler $compiler --submission "$work/handed-in/reduce.cu" --device sim --seed 77 --quiet \
                --json "$work/$(basename "$(dirname "$(realpath "$grade")")").json" >"$work/log" || true
        done
        cmp "$work"/*.json >"$work/log" || fail "$compiler: the record of $id is not the kit's: $(cat "$work/log")"
    done
    echo "ok: $compiler: skeletons 0 points, solutions 100"
done
