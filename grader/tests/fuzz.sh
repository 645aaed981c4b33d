#!/bin/sh
# fuzz.sh BUILD [OPTION...]: fuzzes the PTX parser and decoder with libFuzzer.
build=$1
shift
mkdir -p "$build/corpus"
clang -g -O1 -w -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -fwrapv -D_GNU_SOURCE -Igrader \
    -DSIM_HAVE_baseline -DEXEC_ISA=baseline grader/tests/fuzz_ptx.c grader/base/*.c grader/ptx/*.c grader/sim/*.c \
    grader/model/gpus/gpu.c -lm -lpthread -o "$build/fuzz_ptx" || exit
"$build/fuzz_ptx" -max_len=65536 "$@" "$build/corpus" grader/tests/ptx/corpus
