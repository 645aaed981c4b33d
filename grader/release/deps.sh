#!/bin/sh
# deps.sh FOLDER [ARCH]: unpacks Debian's packages of the libraries that the build needs into FOLDER, without root. Does not change the
# system. For an architecture ARCH, such as arm64, or if the system's package lists are missing or stale, fetches private package lists.
set -eu
folder=$1 arch=${2:-}
packages="check libsubunit-dev libjansson-dev nettle-dev"
command -v apt-get >/dev/null && command -v dpkg >/dev/null || {
    echo "This system has no Debian packages. Install check, jansson and nettle below any folder and run: make DEPS=FOLDER"
    exit 1
}
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
own() { # own COMMAND...: runs apt-get with private package lists and status
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
    cp /var/lib/dpkg/status "$work/status"
    native=$(dpkg --print-architecture)
    apt-get -qq -o Debug::NoLocking=1 -o APT::Sandbox::User= -o APT::Architectures="$native,${arch:-$native}" \
        -o Dir::State::lists="$work/lists" -o Dir::Cache="$work/cache" -o Dir::State::status="$work/status" "$@"
}
fetch() { (cd "$work" && "$@" download $(printf "%s${arch:+:$arch} " $packages)) >"$work/log" 2>&1; }
if [ -n "$arch" ] || ! fetch apt-get; then
    (own update && fetch own) >"$work/log" 2>&1 || { tail -3 "$work/log"; echo "these packages cannot be fetched: $packages"; exit 1; }
fi
for package in "$work"/*.deb; do dpkg -x "$package" "$folder"; done
find "$folder" -type l | while read -r link; do # redirect absolute links into the folder
    target=$(readlink "$link")
    case $target in /*) ln -sf "$(realpath "$folder")$target" "$link" ;; esac
done
echo "$folder: $(cd "$work" && ls *.deb | wc -l) packages"
