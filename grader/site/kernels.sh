#!/bin/sh
# Compiles the kernels of the explorables. Run in the kit's folder:
#
#   kernels.sh compile   writes explorables/NAME.ptx for each NAME.cu, with nvcc
#   kernels.sh check     fails if a .ptx does not match its .cu; needs no compiler
set -eu
cd "$(dirname "$0")/explorables"
case ${1-} in
compile)
    for source in *.cu; do
        nvcc -ptx -lineinfo -arch=compute_75 -o "${source%.cu}.new" "$source"
        { # omits the compiler's name and the folder
            echo "// $(sha256sum "$source")"
            sed -e '/^\/\//d' -e '/^$/d' -e 's,\(\.file.*"\)[^"]*/,\1,' "${source%.cu}.new"
        } >"${source%.cu}.ptx"
        rm "${source%.cu}.new"
    done
    ;;
check)
    for source in *.cu; do
        head -n 1 "${source%.cu}.ptx" | grep -qF "// $(sha256sum "$source")" || {
            echo "grader/site/explorables/${source%.cu}.ptx does not match its .cu: run make explorables"
            exit 1
        }
    done
    ;;
*) sed -n '2,5s/^# *//p' "$0"; exit 2 ;;
esac
