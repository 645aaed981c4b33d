#!/bin/sh
# valgrind.sh BUILD NAME...: runs tests under valgrind's memcheck, and prints a line for each. BUILD/NAME.valgrind contains the full output.
build=$1
shift
command -v valgrind >/dev/null || { echo "SKIP valgrind: it is not installed: sudo apt-get install valgrind"; exit 0; }
status=0
for t; do
    CK_FORK=no CK_TIMEOUT_MULTIPLIER=60 GRADE=$(realpath "$build/grade") valgrind -q --error-exitcode=9 --leak-check=full \
        --errors-for-leak-kinds=definite "$build/$t" >"$build/$t.valgrind" 2>&1
    case $? in
    0) echo "$t: clean" ;;
    1) echo "$t: no memory errors; failed tests are ignored, because valgrind supports only rounding to nearest: $build/$t.valgrind" ;;
    *) status=1 && echo "$t: errors, see $build/$t.valgrind" ;;
    esac
done
exit $status
