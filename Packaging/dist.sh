#!/usr/bin/env bash
# dist.sh BUILD OUT: writes all files of a release to OUT: the Debian package, the tarball, the wheel, the bill of
# materials and the checksums. Two builds of one commit write equal files.
#
#   SIGNING_KEY  the private key of ssh with which the checksums are signed; without it they are not signed
#   SYSROOT      the Debian 11 that the tarball and the wheel are linked against, .build-debian/bullseye by default
set -euo pipefail
cd "$(dirname "$0")/.."

build="${1:?usage: dist.sh BUILD OUT}"
out="$(realpath -m "${2:?usage: dist.sh BUILD OUT}")"
sysroot="${SYSROOT:-.build-debian/bullseye}"
version="$(Packaging/version.sh)"
date="@$(Packaging/version.sh date)"
# The version of the sysroot. The tags of wheels skip some versions, so a lower floor has no tag of its own.
glibc=2.31
export LC_ALL=C

[[ -z "$(git status --porcelain)" ]] || { echo "dist: commit the changes first: git status" >&2; exit 1; }
python3 -B Packaging/third_party.py licenses "$build" | diff -q - THIRD-PARTY.md >/dev/null ||
    { echo "dist: THIRD-PARTY.md is out of date; run make third-party" >&2; exit 1; }
rm -rf "$out"
mkdir -p "$out"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

Packaging/deb.sh "$build/release/termgallery" "$out"

Packaging/sysroot.sh "$sysroot"
Packaging/portable.sh "$build" "$sysroot" "$work/termgallery"
Packaging/floor.sh "$work/termgallery" "$glibc"

name="termgallery-$version-linux-x86_64"
Scripts/install.sh install "$work/termgallery" "$work/$name" >/dev/null
# The installed program was stripped, so its checksum is another one.
Packaging/sums.sh "$work/$name/bin/termgallery" "$work/sums"
python3 -B Packaging/wheel.py "$work/$name/bin/termgallery" "$glibc" "$out" "$work/sums"
install -m 644 -t "$work/$name/share/doc/termgallery" "$work/sums/"*
install -D -m 644 Packaging/termgallery.desktop "$work/$name/share/applications/termgallery.desktop"
tar --create --directory "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="$date" "$name" |
    gzip -9n >"$out/$name.tar.gz"
python3 -B Packaging/third_party.py sbom "$build" >"$out/termgallery-$version.spdx.json"

cd "$out"
sha256sum -- * >SHA256SUMS
if [[ -n "${SIGNING_KEY:-}" ]]; then
    ssh-keygen -q -Y sign -f "$SIGNING_KEY" -n termgallery SHA256SUMS
    cp "$work/sums/allowed_signers" .
fi
ls -l
