#!/bin/sh
# seeds.sh BUILD: runs the randomized tests with SEEDS=N seeds each (default 100). The race model's scripts and the random
# programs use a hundred times as many, because they are cheap. Then runs the library kernels, compiled without optimization.
build=$1
SEEDS=${SEEDS:-100}
export SEEDS
"$build/check_kernels" && "$build/check_library" || exit
PROGRAMS=$((100 * SEEDS)) CK_FORK=no "$build/check_random" || exit
SEEDS=$((100 * SEEDS)) "$build/check_probes_order" || exit
unset SEEDS
for flags in "-Xcicc -O0" -G; do
    echo "library kernels with $flags"
    KERNEL_FLAGS=$flags "$build/check_library" || exit
done
