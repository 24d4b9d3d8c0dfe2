#!/usr/bin/env bash
# snippets.sh [ROOT]: checks that the Swift code in the README and in the articles also appears, paragraph by
# paragraph and regardless of its indent, in a file below Tests/*/Documentation, where it is compiled and run.
# Prints one finding per line.
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

mapfile -t articles < <(
    find README.md Documentation Sources -name '*.md' -type f 2>/dev/null | LC_ALL=C sort)
mapfile -t tests < <(find Tests -path '*/Documentation/*.swift' -type f 2>/dev/null)
((${#articles[@]})) || exit 0

LC_ALL=C awk '
    function paragraph_ends() {
        if (paragraph != "" && index(compiled, "\n" paragraph) == 0)
            print FILENAME ":" start ": this code is in no test of the documentation"
        paragraph = ""
    }
    { line = $0; sub(/^ +/, "", line) }
    FILENAME ~ /\.swift$/ { compiled = compiled (compiled == "" ? "\n" : "") line "\n"; next }
    FNR == 1 { inside = 0; paragraph = "" }
    /^```swift/ { inside = 1; next }
    /^```/ { if (inside) paragraph_ends(); inside = 0; next }
    inside && line == "" { paragraph_ends(); next }
    inside { if (paragraph == "") start = FNR; paragraph = paragraph line "\n" }
' "${tests[@]}" "${articles[@]}"
