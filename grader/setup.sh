#!/bin/sh
# setup.sh DONE [TOOL...]: installs the packages that the build needs if the user is root and apt-get exists, and otherwise lists them. Creates
# the file DONE when all of them and a compiler for kernels are installed. TOOL is an additional program that the kit needs: unifdef, bwrap,
# bsdtar. libmicrohttpd is optional, because only the live page needs it.
done=$1
shift
log=$(dirname "$done")/setup.log
mkdir -p "$(dirname "$done")"
packages="check libjansson-dev nettle-dev pkg-config libmicrohttpd-dev"
# DEPS: a folder with the libraries (make deps)
libraries() {
    if [ -n "${DEPS:-}" ]; then
        for header in check.h jansson.h sha2.h; do [ -n "$(find -L "$DEPS" -name $header)" ] || return 1; done
        return 0
    fi
    pkg-config --exists check jansson nettle 2>/dev/null
}
missing() {
    libraries || return 0
    for tool; do command -v "$tool" >/dev/null || return 0; done
    return 1
}
if [ -n "${DEPS:-}" ] && ! libraries; then
    echo "DEPS=$DEPS lacks check.h, jansson.h or nettle/sha2.h: run make deps, or name another folder"
    exit 1
fi
if missing "$@"; then
    for tool; do
        case $tool in
        bwrap) packages="$packages bubblewrap" ;;
        bsdtar) packages="$packages libarchive-tools" ;;
        *) packages="$packages $tool" ;;
        esac
    done
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        echo "installing $packages"
        apt="apt-get -qq -o DPkg::Lock::Timeout=120" # seconds to wait for another apt-get, such as an automatic upgrade
        { $apt update && DEBIAN_FRONTEND=noninteractive $apt install -y $packages; } >"$log" 2>&1 ||
            { tail -5 "$log"; exit 1; }
    else
        echo "Packages are missing. Install them with:"
        echo "    sudo apt-get install $packages"
        echo "or, without root, unpack the libraries into this folder, and build again:"
        echo "    make deps"
        exit 1
    fi
fi
fetched=$(ls "${NVRTC:-build/nvrtc}"/nvidia/c*/lib/libnvrtc.so* "${NVRTC:-/none}"/libnvrtc.so* 2>/dev/null)
if [ -z "$fetched" ] && ! command -v nvcc >/dev/null && [ ! -x /usr/local/cuda/bin/nvcc ] && ! command -v clang >/dev/null; then
    echo "There is no compiler for kernels. Install the CUDA Toolkit, or clang with:"
    echo "    sudo apt-get install clang"
    echo "or only NVIDIA's run-time compiler, with:"
    echo "    python3 -m pip install --target build/nvrtc nvidia-cuda-nvrtc"
    exit 1
fi
pkg-config --exists libmicrohttpd 2>/dev/null || {
    echo "Without libmicrohttpd, ./grade LAB --watch --html FILE serves no live page. To get it:"
    echo "    sudo apt-get install libmicrohttpd-dev"
}
touch "$done"
