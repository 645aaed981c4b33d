#!/bin/sh
# prebuilt.sh BUILD [ARCH]: packs the students' archive with a prebuilt command. BUILD must contain a handout (make handout). ARCH is amd64 or
# arm64 (default: that of this machine). Libraries are linked statically, except glibc.
set -eu
build=$1 arch=${2:-$(dpkg --print-architecture)}
case $arch in
amd64) compiler=x86_64-linux-gnu-gcc ;;
arm64) compiler=aarch64-linux-gnu-gcc ;;
*) echo "ARCH must be amd64 or arm64, not $arch" >&2; exit 2 ;;
esac
command -v "$compiler" >/dev/null || { echo "no $compiler: sudo apt-get install gcc-${compiler%-gcc}" >&2; exit 1; }
out=$build/prebuilt-$arch
deps=build/deps-$arch
[ -d "$deps/usr" ] || "${MAKE:-make}" --no-print-directory deps ARCH="$arch"
"${MAKE:-make}" --no-print-directory BUILD="$out" CC="${CCACHE:-} $compiler" DEPS="$deps" "$out/grade"
newest=$("${compiler%gcc}objdump" -T "$out/grade" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
"${compiler%gcc}strip" -o "$out/stripped" "$out/grade"
sh grader/release/handout.sh prebuilt "$(realpath "$out")/kit" "$out/stripped" "$build/handout/reduction-labs-linux-$arch.tar.gz" "$build/handout/kit"
echo "the command needs glibc ${newest#GLIBC_} or newer"
