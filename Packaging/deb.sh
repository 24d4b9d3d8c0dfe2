#!/usr/bin/env bash
# deb.sh BINARY OUT: writes OUT/termgallery_VERSION_ARCH.deb, and checks it with lintian.
#
# The dependencies are computed from the binary. Libraries that the program loads when it first needs them are
# recommended: a system without them can still install it.
set -euo pipefail
cd "$(dirname "$0")/.."

binary="$(realpath "${1:?usage: deb.sh BINARY OUT}")"
out="$(realpath -m "${2:?usage: deb.sh BINARY OUT}")"
for tool in dpkg-deb dpkg-shlibdeps lintian strip; do
    command -v "$tool" >/dev/null ||
        { echo "deb: $tool is missing. Run: apt-get install dpkg-dev lintian binutils" >&2; exit 1; }
done
version="$(Packaging/version.sh)"
architecture="$(dpkg --print-architecture)"
SOURCE_DATE_EPOCH="$(Packaging/version.sh date)"
export SOURCE_DATE_EPOCH
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
root="$work/debian/termgallery"
umask 022

Scripts/install.sh install "$binary" "$root/usr" >/dev/null
strip --remove-section=.comment --remove-section=.note "$root/usr/bin/termgallery"
docs="$root/usr/share/doc/termgallery"
# Debian's policy asks for this file, and for a reference instead of the text of a license that it installs itself.
{
    cat "$docs/LICENSE"
    printf '\nThe program contains code of other projects. THIRD-PARTY.md in this folder names them and contains their\n'
    printf 'licenses. The Apache License 2.0 is in /usr/share/common-licenses/Apache-2.0.\n'
} >"$docs/copyright"
rm "$docs/LICENSE"
Packaging/sums.sh "$root/usr/bin/termgallery" "$docs"
gzip -9n "$root/usr/share/man/man1/termgallery.1"
{
    printf 'termgallery (%s) unstable; urgency=medium\n\n  * Changes are listed in CHANGELOG.md.\n\n' "$version"
    printf ' -- The TermGallery authors <termgallery@example.org>  %s\n' "$(date -uRd "@$SOURCE_DATE_EPOCH")"
} | gzip -9n >"$docs/changelog.gz"
install -D -m 644 Packaging/termgallery.desktop "$root/usr/share/applications/termgallery.desktop"
install -D -m 644 Packaging/lintian-overrides "$root/usr/share/lintian/overrides/termgallery"

printf 'Source: termgallery\n\nPackage: termgallery\nArchitecture: any\n' >"$work/debian/control"
depends="$(cd "$work" && dpkg-shlibdeps -O "$root/usr/bin/termgallery" 2>/dev/null | sed 's/^shlibs:Depends=//')"
# Relative relocations need glibc 2.36, but no symbol tells dpkg-shlibdeps.
if readelf --version-info "$root/usr/bin/termgallery" | grep GLIBC_ABI_DT_RELR >/dev/null; then
    depends="$(sed -E 's/libc6 \(>= [0-9.]+\)/libc6 (>= 2.36)/' <<<"$depends")"
fi
recommends=(
    "libcurl4 | libcurl4t64" "libssl3 | libssl3t64" ca-certificates "libxml2 | libxml2-16" libjansson4 libseccomp2
    liblcms2-2 libgif7 libwebp7 libwebpdemux2 libheif1 libtiff6 librsvg2-2 libgexiv2-2
    "libjxl0.7 | libjxl0.11 | libjxl0.10 | libjxl0.8" libidn2-0 ncurses-term
)
recommended="$(printf '%s, ' "${recommends[@]}")"
mkdir -p "$root/DEBIAN"
cat >"$root/DEBIAN/control" <<END
Package: termgallery
Version: $version
Architecture: $architecture
Maintainer: The TermGallery authors <termgallery@example.org>
Installed-Size: $(du -sk --apparent-size "$root/usr" | cut -f1)
Depends: $depends
Recommends: ${recommended%, }
Section: graphics
Priority: optional
Description: browse images and image feeds in a terminal
 TermGallery shows folders, feeds, web pages and archives as a grid of images
 in a terminal: locally, over SSH and in tmux. It draws real pixels in
 terminals that support them, otherwise block characters.
 .
 Images that leave the screen are no longer loaded, and images are decoded in
 sandboxed processes. The command "fetch" downloads lists of images of any
 length in constant memory.
END
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +
mkdir -p "$out"
file="$out/termgallery_${version}_$architecture.deb"
dpkg-deb --root-owner-group -Zxz --build "$root" "$file" >/dev/null
lintian --fail-on error,warning "$file"
echo "deb: $file ($(du -k "$file" | cut -f1) KiB), depends on $depends"
