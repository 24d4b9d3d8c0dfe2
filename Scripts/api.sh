#!/usr/bin/env bash
# api.sh check|write|docs: the public interface of the libraries, from the debug build.
#   check  compares it with Documentation/API, and requires a comment on every public symbol
#   write  writes Documentation/API
#   docs   builds ImageLoading's documentation into .build/documentation; a warning fails
set -euo pipefail
cd "$(dirname "$0")/.."
command="${1:-check}"
modules=(Decoders Feeds ImageLoading ImageLoadingTesting TerminalUI)

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

for target in Feeds ImageLoadingTesting TerminalUI; do
    Scripts/debug-build.sh --target "$target" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
done
products="$(Scripts/debug-build.sh --show-bin-path)"
triple="$(swiftc -print-target-info | awk -F '"' '/"unversionedTriple"/ { print $4; exit }')"

# The C modules that the Swift modules import.
search=(-I "$products/Modules")
for folder in Sources/C*/; do
    map="$products/$(basename "$folder").build/module.modulemap"
    if [[ -e "$folder/module.modulemap" ]]; then
        search+=(-I "$folder")
    elif [[ -e "$map" ]]; then
        search+=(-Xcc "-fmodule-map-file=$map")
    fi
done

graph() {
    mkdir -p "$work/$1"
    swift symbolgraph-extract -module-name "$1" -target "$triple" "${search[@]}" \
        -minimum-access-level public -skip-inherited-docs -skip-synthesized-members \
        -pretty-print -output-dir "$work/$1"
}

declarations() {
    LC_ALL=C awk -v mode=api -f Scripts/api.awk "$work/$1/$1".symbols.json \
        "$work/$1/$1"@*.symbols.json | LC_ALL=C sort -u
}

shopt -s nullglob
for module in "${modules[@]}"; do graph "$module"; done

case "$command" in
    write)
        mkdir -p Documentation/API
        for module in "${modules[@]}"; do declarations "$module" >"Documentation/API/$module.txt"; done
        wc -l Documentation/API/*.txt
        ;;
    check)
        failures=0
        for module in "${modules[@]}"; do
            declarations "$module" >"$work/$module.txt"
            [[ -s "$work/$module.txt" ]] || { echo "api: $module has no symbols" >&2; failures=1; }
            if ! diff -u "Documentation/API/$module.txt" "$work/$module.txt" >&2; then
                echo "api: $module differs from Documentation/API; run make api-update" >&2
                failures=1
            fi
            LC_ALL=C awk -v mode=docs -f Scripts/api.awk "$work/$module"/*.json >"$work/undocumented"
            if [[ -s "$work/undocumented" ]]; then
                cat "$work/undocumented" >&2
                failures=1
            fi
        done
        ((failures == 0)) || exit 1
        echo "api: as documented"
        ;;
    docs)
        docc="$(dirname "$(command -v swift)")/docc"
        [[ -x "$docc" ]] || { echo "api: no docc beside swift" >&2; exit 1; }
        mkdir -p .build/documentation
        "$docc" convert Sources/ImageLoading/ImageLoading.docc --warnings-as-errors \
            --additional-symbol-graph-dir "$work/ImageLoading" \
            --fallback-display-name ImageLoading --fallback-bundle-identifier ImageLoading \
            --output-path .build/documentation/ImageLoading.doccarchive
        ;;
    *)
        echo "usage: api.sh check|write|docs" >&2
        exit 2
        ;;
esac
