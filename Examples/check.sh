#!/usr/bin/env bash
# check.sh: compiles the examples against the modules of a debug build, without making binaries. A change of the public
# interface that breaks an example is therefore found in seconds. The examples see public declarations only.
set -euo pipefail
cd "$(dirname "$0")"

# Feeds builds ImageLoading and Decoders, and DemoServer builds SwiftNIO, which ThumbnailServer imports.
for target in Feeds TerminalUI DemoServer; do
    ../Scripts/debug-build.sh --package-path .. --target "$target"
done
modules="$(../Scripts/debug-build.sh --package-path .. --show-bin-path)"
# The C modules that the Swift modules import: system libraries, and others, for which SwiftPM writes the module map
# or which have their own.
search=(-I "$modules/Modules")
for folder in ../Sources/C*/ ../.build/checkouts/*/Sources/*/include/; do
    [[ ! -e "$folder/module.modulemap" ]] || search+=(-I "$folder")
done
for map in "$modules"/*.build/module.modulemap; do search+=(-Xcc "-fmodule-map-file=$map"); done
for folder in Sources/*/; do
    name="$(basename "$folder")"
    swiftc -typecheck -swift-version 6 -warnings-as-errors -module-name "$name" "${search[@]}" "$folder"*.swift
    limit=100
    [[ "$name" != FeedSaver ]] || limit=150
    lines="$(cat "$folder"*.swift | wc -l)"
    if ((lines > limit)); then
        echo "examples: $name has $lines lines; the limit is $limit" >&2
        exit 1
    fi
done
echo "examples: compiled"
