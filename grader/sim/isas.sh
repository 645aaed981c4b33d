#!/bin/sh
# The instruction sets that the simulator's handlers are built for; the best one is taken at start: isas.sh CC [1]. Those of
# this machine; 1: all that another machine of its kind may have.
case $($1 -dumpmachine) in
*x86_64*)
    if [ "${2:-}" ]; then
        echo baseline avx2 avx512
    else
        echo baseline $($1 -march=native -dM -E - </dev/null 2>/dev/null |
            awk '/ __AVX2__ / { print "avx2" } / __AVX512VL__ / { print "avx512" }' | sort)
    fi
    ;;
*) echo baseline ;;
esac
