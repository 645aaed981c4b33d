#!/bin/sh
# Style, layers and sizes. Each rule prints the files that break it.
status=0
complain() { status=1; echo "lint: $1"; }

# Layers run one way: ptx <- sim <- probes <- model, device <- judge; model/gpus lies below all; report knows the record
# alone; run stands above them all.
layer() { # layer FOLDER FORBIDDEN...
    folder=$1
    shift
    for other in "$@"; do
        found=$(grep -ln "#include \"$other/[^/]*\"" grader/"$folder"/*.[ch] 2>/dev/null)
        [ -z "$found" ] || complain "grader/$folder must not include $other/: $found"
    done
}
layer base model/gpus sandbox ptx sim probes model device judge report run ladder hardware release class
layer model/gpus sandbox ptx sim probes model device judge report run ladder hardware release class
layer sandbox ptx sim probes model device judge report run ladder hardware release class
layer ptx sim probes model device judge report run ladder hardware release class
layer sim probes model device judge report run ladder hardware release class
layer probes model device judge report run ladder hardware release class
layer model device judge report run ladder hardware release class
layer device judge report run ladder hardware release class
layer judge report run ladder hardware release class
layer report sandbox model/gpus ptx sim probes model device judge run hardware class
layer run hardware
layer ladder hardware

for f in $(git ls-files '*.c' '*.h' '*.def' '*.cu' '*.sh' '*.js' '*.css'); do
    [ -f "$f" ] || continue
    n=$(wc -l <"$f")
    [ "$n" -le 600 ] || complain "$f has $n lines: split it"
done
# Every row of the instruction table is named by a test: by its id in the C files, or by its mnemonic in a program.
found=$(awk '
    FILENAME !~ /ptx\/ops\.def$/ { tests = tests " " $0; next }
    match($0, /^(LANE|FORM)\([a-z0-9_]+, "[^"]+"/) {
        split(substr($0, 6, RLENGTH - 6), part, /, "/)
        mnemonic = part[2]
        gsub(/\./, "[.]", mnemonic)
        if (tests !~ "ROW[A-Z_]*[(]" part[1] " ?[,)]" && tests !~ "PTX_OP_" part[1] "[^a-z0-9_]" &&
            tests !~ "[^a-z0-9_.]" mnemonic "[.; ]")
            printf " %s (%s)", part[1], part[2]
    }' grader/tests/check_ops*.c grader/tests/ops/*.def grader/ptx/ops.def)
[ -z "$found" ] || complain "rows of ops.def that no test names:$found"
found=$(git grep -nE 'TODO|FIXME' -- '*.c' '*.h' '*.sh' Makefile ':!grader/tests/lint.sh' ':!grader/judge/suite.c' ':!grader/tests/check_*' | head)
[ -z "$found" ] || complain "unfinished: $found"
found=$(git grep -lI '[[:blank:]]$' -- '*.c' '*.h' '*.def' '*.cu' '*.sh' | head)
[ -z "$found" ] || complain "blanks at the end of lines: $found"
if command -v clang-format >/dev/null; then
    said=$(git ls-files 'grader/*.c' 'grader/*.js' 'grader/*.h' 'common/reference.*' 'labs/*.c' 'docs/*.c' |
        xargs -P 2 -n 40 clang-format --dry-run -Werror 2>&1) || {
        found=$(echo "$said" | sed -n 's/^\([^:]*\):[0-9].*: error: .*/\1/p' | sort -u)
        complain "not as .clang-format lays it out (make format): $(echo ${found:-$said})"
    }
fi
exit $status
