#!/usr/bin/env bash
# twice.sh: builds the packages of the newest commit in two folders with names of different lengths, and compares them.
set -euo pipefail
cd "$(dirname "$0")/.."

source="$PWD"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
sysroot="$(realpath -m "${SYSROOT:-.build-debian/bullseye}")"
for folder in "$work/one" "$work/a/longer/name/two"; do
    git clone --quiet "$source" "$folder"
    make --no-print-directory -C "$folder" dist SYSROOT="$sysroot" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }
done
if ! diff --recursive --brief "$work/one/dist" "$work/a/longer/name/two/dist"; then
    echo "twice: the packages differ" >&2
    exit 1
fi
echo "twice: both builds wrote the same files"
cat "$work/one/dist/SHA256SUMS"
