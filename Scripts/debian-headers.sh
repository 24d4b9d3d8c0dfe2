#!/usr/bin/env bash
# debian-headers.sh: compiles the C code with the headers of another Debian, without linking. Needs neither root nor
# a chroot; apt keeps its state in DEBIAN_PATH/headers-SUITE (.build-debian and trixie by default).
set -euo pipefail
cd "$(dirname "$0")/.."

suite="${SUITE:-trixie}"
folder="$(realpath -m "${DEBIAN_PATH:-.build-debian}/headers-$suite")"
mkdir -p "$folder/lists/partial" "$folder/archives/partial" "$folder/packages"
# With an empty list of installed packages, apt also selects the packages that the headers depend on, such as libc6-dev.
: >"$folder/status"
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(Scripts/debian-mirror.sh) $suite main" \
    >"$folder/sources.list"
apt=(apt-get -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=-
    -o Dir::State="$folder" -o Dir::State::status="$folder/status" -o Dir::Cache="$folder"
    -o APT::Sandbox::User= -o APT::Install-Recommends=false)

mapfile -t wanted < <(Scripts/setup.sh headers)
"${apt[@]}" update -qq
mapfile -t files < <("${apt[@]}" install -y --print-uris libc6-dev "${wanted[@]}" |
    awk '/^\047/ && $2 ~ /-dev_/ { print $2 }')
cd "$folder/packages"
"${apt[@]}" download -qq "${files[@]%%_*}"
rm -rf "$folder/root"
for file in "${files[@]}"; do dpkg -x "$file" "$folder/root"; done
cd - >/dev/null

# Ubuntu's libjpeg is built with the interface of version 8 instead of 6.2.
mkdir -p "$folder/libjpeg8"
find "$folder/root/usr/include" -name jconfig.h -exec sed 's/JPEG_LIB_VERSION  *62/JPEG_LIB_VERSION 80/' '{}' + \
    >"$folder/libjpeg8/jconfig.h"

clang="$(dirname "$(readlink -f "$(command -v swift)")")/clang"
traits=(-DCIC_GIF -DCIC_WEBP -DCIC_HEIF -DCIC_JPEG_XL -DCIC_TIFF -DCIC_SVG)
failed=0 count=0
compile() {
    "$clang" --sysroot="$folder/root" -fsyntax-only -x c "${traits[@]}" "$@" || failed=1
    count=$((count + 1))
}
while IFS= read -r file; do
    target="$(sed -E 's,^((Sources|Tests/Support)/[^/]*)/.*,\1,' <<<"$file")"
    compile -I "$target/include" "$file"
    if [[ "$(basename "$file")" == jpeg_* ]]; then compile -I "$folder/libjpeg8" -I "$target/include" "$file"; fi
done < <(find Sources/C* Tests/Support/C* -name '*.c' -o -name shim.h)
echo "headers: compiled $count C files with the headers of $suite"
exit "$failed"
