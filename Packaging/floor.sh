#!/usr/bin/env bash
# floor.sh BINARY [NEWEST]: prints the oldest version of glibc with which the program starts, the symbols that need it,
# and the shared libraries that the program is linked to. If that version is newer than NEWEST, the script fails.
set -euo pipefail

binary="${1:?usage: floor.sh BINARY [NEWEST]}"
symbols="$(objdump -T "$binary" | sed -nE 's/.*\(?GLIBC_([0-9.]+)\)? +(\S+)$/\1 \2/p' | sort -V)"
floor="$(tail -n 1 <<<"$symbols" | cut -d' ' -f1)"
reasons="$(awk -v floor="$floor" '$1 == floor { print $2 }' <<<"$symbols" | sort -u | tr '\n' ' ')"
# This version is no symbol's: the dynamic linker must know how to apply relative relocations.
if readelf --version-info "$binary" | grep GLIBC_ABI_DT_RELR >/dev/null; then
    floor="$(printf '%s\n2.36\n' "$floor" | sort -V | tail -n 1)"
    [[ "$floor" != 2.36 ]] || reasons="DT_RELR $reasons"
fi
echo "$floor"
echo "floor: needed by $reasons" >&2
readelf -d "$binary" | sed -nE 's/.*NEEDED.*\[(.*)\]/floor: linked to \1/p' >&2
if [[ -n "${2:-}" && "$(printf '%s\n' "$floor" "$2" | sort -V | tail -n 1)" != "$2" ]]; then
    echo "floor: $binary needs glibc $floor, newer than $2" >&2
    exit 1
fi
