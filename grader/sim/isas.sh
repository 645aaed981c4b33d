#!/bin/sh
# isas.sh CC [1]: prints the host instruction sets for which the simulator's handlers are compiled: those of this machine or, with 1, all
# that a machine of this architecture may have. The simulator selects the best one when it starts.
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
