#!/usr/bin/env bash
# link-options.sh FOLDER: prints the options with which `swift build` links a program that starts
# sooner and in less memory; FOLDER gets links to the static libraries that are to be taken. Where
# the tools for that are missing, it prints fewer, or none.
#
# Measured for `print` of one pixel on one set of objects, in one run: 6.6 ms of CPU and 16.8 MB
# without, 5.4 ms and 13.3 MB with. The program stays at random addresses; linking it to fixed ones
# would save no memory.
set -euo pipefail

folder="$1"
# C++ for the Swift runtime alone, which needs little of it, and the terminal, which only the gallery
# needs. What reads images and the network stays shared, so that the system's updates mend it.
libraries=(stdc++ ncursesw tinfo)

tools="$(dirname "$(readlink -f "$(command -v swift)")")"
driver="$(command -v gcc || echo "$tools/clang")"
[[ -x "$tools/ld.lld" && -x "$driver" ]] || exit 0

mkdir -p "$folder"
for library in "${libraries[@]}"; do
    file="$("$driver" -print-file-name="lib$library.a")"
    # Without a path it was not found, and the shared one will do.
    [[ "$file" != */* ]] || ln -sf "$file" "$folder/"
done
# Nobody links against a program: its symbols would only be looked up.
options=(-use-ld=lld "-L$folder" -Xclang-linker -static-libgcc -Xlinker --no-export-dynamic)
# Sixty thousand pointers in a twentieth of the space; glibc reads this since 2.36.
version="$(getconf GNU_LIBC_VERSION 2>/dev/null || true)"
oldest="glibc 2.36"
if [[ "$version" == glibc* && "$(printf '%s\n' "$oldest" "$version" | sort -V | head -1)" == "$oldest" ]]; then
    options+=(-Xlinker -z -Xlinker pack-relative-relocs)
fi
printf -- '-Xswiftc %s ' "${options[@]}"
