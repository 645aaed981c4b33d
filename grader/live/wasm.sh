#!/bin/sh
# Compiles the simulator for pages (live.c and its dependencies) to WebAssembly. Run in the kit's folder.
#
#   wasm.sh make     writes module.b64 (the module, compressed and in base64) and module.sha256 (hashes of it and of its sources)
#   wasm.sh check    compares the files with these hashes; needs no compiler
#
# Debian: clang lld wasi-libc libclang-rt-dev-wasm32. wasi/ contains substitutes for headers whose functions a page does not need.
set -eu
here=grader/live
case ${1-} in
check)
    changed=$(LC_ALL=C sha256sum --quiet -c $here/module.sha256 2>/dev/null | sed 's/: FAILED.*//')
    set -- $changed
    [ $# = 0 ] || { echo "the simulator in pages ($here/module.b64) is older than $1 ($# files differ): run make wasm"; exit 1; }
    exit
    ;;
make) ;;
*) sed -n '2,7s/^# *//p' "$0"; exit 2 ;;
esac
sources="$(for name in arena array map reserve; do echo grader/base/$name.c; done)
$(ls grader/ptx/*.c grader/sim/*.c grader/probes/*.c grader/plan/*.c grader/model/*.c grader/model/gpus/*.c |
    grep -v -e ptx/cut.c -e ptx/doc.c -e probes/wire.c -e probes/measured.c)
grader/record/terms.c grader/device/sim.c grader/device/execute.c grader/device/advance.c common/reference.c $here/live.c $here/show.c $here/put.c
$(for name in buffers fields values; do echo grader/run/$name.c; done)
$(for name in job run arrays case_again case_data case_large case_names case_plan; do echo grader/judge/$name.c; done)"
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
compile="clang --target=wasm32-wasi -Os -msimd128 -std=gnu11 -D_GNU_SOURCE -I$here/wasi -Igrader -Icommon -DSIM_HAVE_baseline
    -DEXEC_ISA=baseline -fwrapv -ffp-contract=off -Wall -Wextra -Wno-missing-field-initializers -Wno-unknown-pragmas -MD"
# A student's own operator needs a compiler, so the functions of judge/own.h are omitted. No job calls them. --arg @FILE is omitted as well,
# because a page has no files.
printf 'own_%s\n' elements fold print same total >"$dir/absent"
printf 'file_%s\n' read why >>"$dir/absent"
echo "$sources" | tr ' ' '\n' | xargs -P "$(nproc)" -I{} sh -c 'o=$(echo {} | tr / _) && '"$(echo $compile)"' -c -o "$0/$o.o" {}' "$dir"
clang --target=wasm32-wasi -mexec-model=reactor -s -o "$dir/module" "$dir"/*.o -Wl,--gc-sections,--no-entry,--stack-first,-z,stack-size=2097152 \
    -Wl,--export=malloc,--export=live_run,--export=live_show,--export=live_launch,--allow-undefined-file="$dir/absent"
gzip -9 -n <"$dir/module" | base64 -w 120 >$here/module.b64
{
    cat "$dir"/*.d | tr ' \\' '\n\n' | grep -E '^(grader|common)/.*[a-z]$'
    echo $here/wasm.sh
    echo $here/module.b64
} | LC_ALL=C sort -u | xargs sha256sum >$here/module.sha256
echo "$here/module.b64: $(wc -c <"$dir/module") bytes, $(wc -c <$here/module.b64) as text"
