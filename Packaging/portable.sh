#!/usr/bin/env bash
# portable.sh BUILD SYSROOT OUT: links the objects of a release build again, to a program for other distributions.
#
# The libraries of the base formats are linked statically, and glibc is that of SYSROOT (see sysroot.sh). Everything else
# is loaded when it is first needed, as in every build. Relative relocations are left out: they need glibc 2.36.
set -euo pipefail
cd "$(dirname "$0")/.."

build="$(realpath "${1:?usage: portable.sh BUILD SYSROOT OUT}")"
sysroot="$(realpath "${2:?usage: portable.sh BUILD SYSROOT OUT}")"
out="$(realpath -m "${3:?usage: portable.sh BUILD SYSROOT OUT}")"
objects="$build/release/termgallery.product/Objects.LinkFileList"
[[ -f "$objects" ]] || { echo "portable: $objects is missing; run make release" >&2; exit 1; }

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
for library in stdc++ ncursesw tinfo png png16 jpeg deflate z; do
    file="$(gcc -print-file-name="lib$library.a")"
    [[ "$file" == /* ]] || { echo "portable: lib$library.a is missing; run make setup" >&2; exit 1; }
    ln -s "$file" "$folder/"
done
# The C++ runtime is this machine's, because Swift's runtime needs it, and asks glibc 2.32 whether the process has only
# one thread. Zero means that it may have several, which is always safe.
echo 'char __libc_single_threaded = 0;' | gcc -x c -c -o "$folder/threads.o" -
# The libraries that have been part of glibc since version 2.34 are named for the older one.
swiftc -static-stdlib -emit-executable -module-name termgallery -o "$out" "@$objects" "$folder/threads.o" -use-ld=lld "-L$folder" \
    -lpng -ljpeg -ldeflate -lz -Xlinker --defsym -Xlinker main=TermGallery_main -Xlinker --gc-sections \
    -Xlinker --strip-all -Xlinker --no-export-dynamic -Xclang-linker "--sysroot=$sysroot" \
    -Xclang-linker -static-libgcc -lpthread -ldl -lrt -lm
