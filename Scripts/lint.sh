#!/usr/bin/env bash
# lint.sh [ROOT]: the house rules that a machine can hold. Every finding names its file and line;
# any finding fails. Needs bash, awk, find and the Swift toolchain, nothing else.
set -euo pipefail
scripts="$(cd "$(dirname "$0")" && pwd)"
cd "${1:-$(dirname "$0")/..}"

rules="$(mktemp -d)"
trap 'rm -rf "$rules"' EXIT
findings="$rules/findings"
: >"$findings"

source_paths=(
    Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Sources Fuzz/Package.swift
    Fuzz/Sources
)

# What the sources are; fixtures are other people's bytes.
sources() {
    find "${source_paths[@]}" -type f "$@" -not -path '*/Fixtures/*' -print0 2>/dev/null ||
        true
}

# Runs an awk program over the files that `sources` finds: awk_rule PROGRAM FIND-EXPRESSION…
awk_rule() {
    local program="$1"
    shift
    sources "$@" | xargs -0 -r awk "$program" >>"$findings"
}

swift_files=(-name '*.swift')
c_files=('(' -name '*.c' -o -name '*.h' ')')
code_files=('(' -name '*.swift' -o -name '*.c' -o -name '*.h' ')')

lint_format() {
    command -v swift >/dev/null || { echo "lint: swift is missing" >&2; exit 1; }
    local paths=() path
    for path in "${source_paths[@]}"; do
        [[ -e "$path" ]] && paths+=("$path")
    done
    swift format lint --strict --parallel --recursive "${paths[@]}" 2>>"$findings" || true
}

lint_file_length() {
    awk_rule '
        FNR == 301 { print FILENAME ":301: file has more than 300 lines" }' "${code_files[@]}"
}

# The formatter fixes the indentation, so a function ends at the first closing brace that stands
# where its declaration began.
lint_swift_function_length() {
    awk_rule '
        FNR == 1 { depth = 0 }
        {
            match($0, /^ */); indent = RLENGTH
            if (depth && $0 ~ /^ *}/ && indent == column[depth]) {
                count = FNR - line[depth] + 1
                if (count > 50) print FILENAME ":" line[depth] ": function has " count " lines, 50 allowed"
                depth--
            }
        }
        /^ *((public|package|internal|fileprivate|private|static|final|override|mutating|nonmutating|nonisolated|isolated|convenience|required|class|borrowing|consuming|@[A-Za-z]+(\([^)]*\))?) )*(func |init[?]?[(<]|deinit|subscript[(<])/ \
        || /^ *((public|package|internal|fileprivate|private|static|final|override|nonisolated|lazy) )*var .*\{$/ {
            if ($0 !~ /}$/) { depth++; line[depth] = FNR; column[depth] = indent }
        }' "${swift_files[@]}"
}

lint_c_function_length() {
    awk_rule '
        FNR == 1 { start = 0 }
        /^[A-Za-z_].*\(/ && !/;[ ]*$/ { candidate = FNR }
        /^(\{|[A-Za-z_ ].*\) *\{)[ ]*$/ && candidate { start = candidate }
        /^}/ {
            if (start && FNR - start + 1 > 50)
                print FILENAME ":" start ": function has " (FNR - start + 1) " lines, 50 allowed"
            start = 0; candidate = 0
        }' "${c_files[@]}"
}

lint_words() {
    awk_rule '
        function found(what) { print FILENAME ":" FNR ": " what }
        /(TODO|FIXME|HACK|[^X]XXX[^X])/ && !/(#|issue )[0-9]/ { found("TODO without an issue") }
        /fatalError\(("[nN]ot|"TODO|\))/ { found("fatalError instead of code") }
        /import XCTest/ { found("XCTest; tests use Swift Testing") }
        /(^|[^A-Za-z])NSCache[<(]/ { found("NSCache drops new entries on Linux") }
        /(^|[^A-Za-z.])Mutex[<(]/ { found("Mutex makes ThreadSanitizer report races that are none; use Protected") }' \
        "${code_files[@]}"
    awk_rule '
        /try!/ && FILENAME !~ /^Tests\// { print FILENAME ":" FNR ": try! outside tests" }
        /(Task\.sleep|[^A-Za-z.]u?sleep\(|Thread\.sleep)/ && FILENAME ~ /^Tests\// {
            print FILENAME ":" FNR ": a test that sleeps" }
        FNR == 1 { commented = 0 }
        /(@unchecked Sendable|nonisolated\(unsafe\))/ && !/^ *\/\// && !commented && !/\/\/ / {
            print FILENAME ":" FNR ": needs a comment with the proof" }
        { if ($0 ~ /^ *\/\//) commented = 1; else if ($0 !~ /^ *@[A-Za-z]+[^ ]*$/) commented = 0 }' \
        "${swift_files[@]}"
}

lint_white_space() {
    awk_rule '
        /[ \t\r]$/ { print FILENAME ":" FNR ": trailing white space" }
        /\t/ { print FILENAME ":" FNR ": tab" }' "${code_files[@]}"
    find Scripts .ci Documentation sample-feeds README.md CONTRIBUTING.md CHANGELOG.md Makefile \
        Benchmarks/README.md Fuzz/README.md \
        -type f '(' -name '*.sh' -o -name '*.md' -o -name '*.txt' -o -name run -o -name Makefile ')' \
        -print0 2>/dev/null |
        xargs -0 -r awk '/[ \t\r]$/ { print FILENAME ":" FNR ": trailing white space" }' \
            >>"$findings" || true
}

# The Swift targets whose files import the module, one a line with its first place: TARGET FILE:LINE
importers_of() {
    sources "${swift_files[@]}" | xargs -0 -r awk -v module="$1" '
        $0 ~ ("^ *(@[A-Za-z_]+ |public |package |internal |fileprivate |private )*import ((struct|func|enum|var|let|class|typealias) )?" module "([. ]|$)") {
            split(FILENAME, part, "/")
            target = part[1] "/" part[2]
            if (!(target in seen)) { seen[target] = 1; print target " " FILENAME ":" FNR }
        }'
}

# A C module has one Swift target behind which it stays; what Linux has is for the engine and for
# the terminal.
lint_c_modules() {
    local folder module count
    for folder in Sources/*/ Tests/Support/*/; do
        [[ -e "$folder/module.modulemap" || -d "$folder/include" ]] || continue
        module="$(basename "$folder")"
        importers_of "$module" >"$rules/importers"
        if [[ "$module" == CLinux ]]; then
            awk '$1 != "Sources/ImageLoading" && $1 != "Sources/TermGallery" {
                print $2 ": C module CLinux is for ImageLoading and TermGallery" }' \
                "$rules/importers" >>"$findings"
            continue
        fi
        count="$(wc -l <"$rules/importers")"
        if ((count == 0)); then
            echo "$folder:1: C module $module is imported by no target" >>"$findings"
        elif ((count > 1)); then
            awk -v module="$module" '
                { print $2 ": C module " module " is imported by more than one target" }' \
                "$rules/importers" >>"$findings"
        fi
    done
}

lint_scripts() {
    local script
    for script in Scripts/*.sh Benchmarks/*.sh Fuzz/*.sh .ci/run; do
        [[ -e "$script" ]] || continue
        bash -n "$script" 2>>"$findings" || true
        [[ -x "$script" ]] || echo "$script:1: is not executable" >>"$findings"
    done
}

# Rows of behaviour that no test holds, citations of rows that are none, a table that went stale.
lint_behaviour() {
    [[ ! -e Documentation/behaviour-rows.txt ]] || "$scripts/behaviour.sh" check . >>"$findings"
}

lint_snippets() {
    "$scripts/snippets.sh" . >>"$findings"
}

[[ -d Sources ]] || { echo "lint: no Sources in $PWD" >&2; exit 1; }
lint_format
lint_file_length
lint_swift_function_length
lint_c_function_length
lint_words
lint_white_space
lint_c_modules
lint_scripts
lint_behaviour
lint_snippets

if [[ -s "$findings" ]]; then
    cat "$findings" >&2
    echo "lint: $(wc -l <"$findings") findings" >&2
    exit 1
fi
echo "lint: clean"
