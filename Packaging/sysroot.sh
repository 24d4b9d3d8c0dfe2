#!/usr/bin/env bash
# sysroot.sh FOLDER: creates a Debian 11 in FOLDER with the headers and startup files of glibc 2.31 and GCC 10.
#
# A program that is linked against these files runs wherever glibc is at least 2.31: Debian 11, Ubuntu 20.04 and later.
# Needs root and debootstrap.
set -euo pipefail
cd "$(dirname "$0")/.."

root="$(realpath -m "${1:?usage: sysroot.sh FOLDER}")"
[[ ! -e "$root/created" ]] || exit 0
[[ "$(id -u)" == 0 ]] || { echo "sysroot: creating a system needs root. Run: sudo -E make dist" >&2; exit 1; }
command -v debootstrap >/dev/null ||
    { echo "sysroot: debootstrap is missing. Run: apt-get install debootstrap" >&2; exit 1; }
rm -rf "$root"
mkdir -p "$root"
debootstrap --variant=minbase --include=libc6-dev,libstdc++-10-dev bullseye "$root" "$(Scripts/debian-mirror.sh)" \
    >"$root.log" || { tail -n 3 "$root.log" >&2; exit 1; }
# Absolute links would lead out of the folder.
find "$root/usr/lib/x86_64-linux-gnu" "$root/usr/lib64" "$root/usr/lib/gcc" -type l -lname '/*' -print0 |
    while IFS= read -r -d '' link; do ln -sfn --relative "$root$(readlink "$link")" "$link"; done
touch "$root/created"
