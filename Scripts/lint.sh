#!/usr/bin/env bash
# lint.sh: checks the house rules that a script can check. A finding is a line, FILE:LINE: text; any finding fails.
# Needs bash, GNU grep, awk, find, git, Python and the Swift toolchain.
set -euo pipefail
cd "$(dirname "$0")/.."
export LC_ALL=C.UTF-8

findings="$(mktemp)"
trap 'rm -f "$findings"' EXIT
code=(Package.swift Sources Tests Scripts Benchmarks/Package.swift Benchmarks/Sources
    Fuzz/Package.swift Fuzz/Sources Examples/Package.swift Examples/Sources)
words=(README.md CONTRIBUTING.md SECURITY.md Makefile .ci man Documentation Benchmarks/README.md Fuzz/README.md
    Examples/README.md)

# Adds the matches of grep as findings: matches MESSAGE GREP-ARGUMENT… (fixtures are files of other projects)
matches() {
    local message="$1" status=0
    shift
    grep -rnP --exclude-dir=Fixtures --exclude-dir=.build "$@" >"$findings.new" || status=$?
    ((status < 2)) || { echo "lint: grep failed at: $message" >&2; exit 1; }
    sed "s|\$|  <- $message|" "$findings.new" >>"$findings"
    rm "$findings.new"
}
swift=(--include='*.swift')
sources=(--include='*.swift' --include='*.[ch]')

# Formatting, sizes.
swift format lint --strict --parallel --recursive "${code[@]}" 2>>"$findings" || true
find "${code[@]}" Benchmarks/programs '(' -name '*.swift' -o -name '*.[ch]' -o -name '*.py' ')' -not -path '*/Fixtures/*' -print0 |
    xargs -0 awk 'FNR == 1 { count = 0 } !/^ *\/\// && ++count == 301 {
        print FILENAME ":" FNR ": a file has at most 300 lines without comments" }' >>"$findings"
# No two targets have a folder of the same name, so that a name leads to one place.
find Sources -mindepth 2 -type d -not -name include -printf '%f %p\n' | sort | awk '
    { split($2, parts, "/") }
    $1 == name && parts[2] != target { print $2 ":1: another target has a folder of this name: " path }
    { name = $1; target = parts[2]; path = $2 }' >>"$findings"
matches 'trailing white space' '\s$' "${sources[@]}" --include='*.md' --include='*.sh' \
    --include='*.txt' --include='*.py' --include=Makefile --include=run "${code[@]}" Benchmarks/programs Benchmarks/browser "${words[@]}"
matches 'tab' '\t' "${sources[@]}" "${code[@]}"

# Words of code.
matches 'a TODO names an issue of this repository (#12)' '\b(TODO|FIXME|HACK)\b[^#]*$' \
    "${sources[@]}" Sources Tests Benchmarks/Sources Fuzz/Sources
matches 'fatalError instead of code' 'fatalError\(("[nN]ot|"TODO|\))' "${swift[@]}" Sources Tests
matches 'tests use Swift Testing' 'import XCTest' "${swift[@]}" Tests
matches 'NSCache drops new entries on Linux' '\bNSCache[<(]' "${swift[@]}" Sources
matches 'ThreadSanitizer reports false races in Mutex; use Protected' \
    '(^|[^A-Za-z.])Mutex[<(]' "${swift[@]}" Sources Tests
matches 'text for people passes through TerminalText: printLine, printError' \
    '(?<!func )(?<![.\w])(Swift\.)?print\(' "${swift[@]}" --exclude=TerminalText.swift Sources/TermGallery
matches 'a test that sleeps' '(Task\.sleep|[^A-Za-z.]u?sleep\(|Thread\.sleep)' "${swift[@]}" Tests
matches 'a test that is skipped; setup.sh installs what it needs, and without it the test fails' \
    '\.(enabled|disabled)\(|withKnownIssue' "${swift[@]}" Tests
find Sources Tests -name '*.swift' -print0 | xargs -0 awk '
    /@unchecked Sendable|nonisolated\(unsafe\)/ && !/\/\/ / && !above {
        print FILENAME ":" FNR ": needs a comment with the proof" }
    { above = /^ *\/\// || (above && /^ *@[A-Za-z]+$/) }' >>"$findings"

# Permitted imports: a module, and the folders that may import it (Tests: every test). Each C module belongs to
# one target, CLinux to four.
while read -r module folders; do
    grep -rnE "${swift[@]}" "^[^\"/]*\bimport +((struct|class|enum|func|protocol|var) +)?$module\b" \
        Sources Tests | grep -vE "^(${folders// /|})/" |
        sed "s|\$|  <- $module is imported in $folders only|" >>"$findings" || true
done <<'END'
CImageCodecs Sources/Decoders
CCurl Sources/ImageLoading
CFeedLibraries Sources/Feeds
COpenSSL Sources/ImageLoading
CSandbox Sources/ImageLoading
CZlib Sources/ImageLoading Sources/Feeds
CLinux Sources/SystemSupport Sources/ImageLoading Sources/TerminalUI Sources/TermGallery
CNCurses Sources/TerminalUI Tests/TerminalUITests
CTerminalRestore Sources/TerminalUI
CPseudoTerminal Tests/EndToEndTests
SystemSupport Sources/ImageLoading Sources/ImageLoadingTesting Sources/TerminalUI Sources/Feeds Sources/GalleryCore Sources/TermGallery Tests
Feeds Sources/GalleryCore Sources/TermGallery Tests
ImageLoading Sources/ImageLoadingTesting Sources/Feeds Sources/GalleryCore Sources/TermGallery Tests
ImageLoadingTesting Tests
GalleryCore Sources/TermGallery Tests
TerminalUI Sources/GalleryCore Sources/TermGallery Tests
DemoServer Sources/TermGallery Tests
TermGallery Tests
END
for module in Sources/C*/; do
    module="$(basename "$module")"
    grep -q "^$module " Scripts/lint.sh || echo "Sources/$module:1: not in the table of lint.sh"
done >>"$findings"

# Comments give reasons, not codes: row codes belong in Behavior.md and in tests, and nothing cites sources that
# are not in the repository. C1 controls and Display P3 are technical terms.
rows="$(sed -nE 's/^([A-Z]+[0-9]+) \|.*/\1/p' Documentation/behavior-rows.txt | paste -sd '|')"
matches 'state the reason, not its row in Behavior.md' \
    "((^|\s)//|/\*|^ *\*).*\b($rows)\b(?! controls?\b)" "${sources[@]}" Sources
matches 'cites a source that is not in the repository' \
    '\b([Ff]act|[Tt]heme|[Ii]dea|[Dd]efect|[Ii]ssue) [A-Z]?[0-9]|\b[Tt]able [0-9]+\.[0-9]' \
    --exclude=lint.sh "${code[@]}" "${words[@]}" CHANGELOG.md
matches 'cites a source that is not in the repository' '((^|\s)//|`).*(?<!Display )\b[PTE][0-9]{1,2}\b' \
    "${sources[@]}" Sources Tests

matches 'the field has another word' '\b([Ww]ish(es|ed)?|[Ww]ish[A-Z]\w*|st(and|ood)Aside|[Ll]eftovers?|'\
'BodyKeeper|[Ss]uffices?|beginAnew|goOn|[Pp]ardons?|condemned\w*|[Vv]erdicts?|isUnseen|AheadLoader|'\
'[Ll]oading ?[Aa]head|(is|reports)Beginnings?|CurlHop|DC(Walk|Steps|Stage|Values)|CellArt|'\
'DetailArtist|EventBell|Terminal(Question|Inquiry|Interview|Examination|Findings)\w*|HostVisits|'\
'PageVisits|VisitPolicy|Outside(Work|Program|Picture|Request))\b' "${sources[@]}" Sources

# Each promise of a document names its test: "`Suite`: sentence".
for document in SECURITY.md Documentation/Reliability.md; do
    # shellcheck disable=SC2016
    grep -noE '`[A-Za-z]+Tests`: [^|<;.]+' "$document" | while IFS= read -r promise; do
        number="${promise%%:*}" suite="$(cut -d '`' -f 2 <<<"$promise")"
        sentence="$(sed -E 's/^[0-9]+:`[A-Za-z]+`: //; s/ +$//' <<<"$promise")"
        grep -rlE "\b$suite\b" --include='*.swift' Tests | xargs -r grep -qF "\`$sentence" ||
            echo "$document:$number: no test of $suite is named: $sentence"
    done
done >>"$findings"

# Documents that are compared with the tests, and scripts that must at least parse.
swift -enable-bare-slash-regex Scripts/behavior.swift >>"$findings" 2>&1 || true
Scripts/snippets.sh >>"$findings"
# The list of all texts that users see, so that each new one is reviewed.
Scripts/messages.py check >>"$findings" || true
# At most 5 sentences per 1,000 lines that need a second reading; commit subjects of at most 72 characters.
Scripts/prose.py >"$findings.new" || cat "$findings.new" >>"$findings"
rm "$findings.new"
version="$(grep -rhoE 'static let version = "[^"]+"' Sources/TermGallery | cut -d '"' -f 2)"
grep -m 1 '^## [0-9]' CHANGELOG.md | grep -qE "^## ${version//./\\.}( |\$)" ||
    echo "CHANGELOG.md:1: its newest heading is not $version, the version of termgallery" >>"$findings"
Benchmarks/programs/test.sh >"$findings.new" 2>&1 || sed 's|^|Benchmarks/programs/test.sh:1: |' "$findings.new" >>"$findings"
rm "$findings.new"
for script in Scripts/*.sh Packaging/*.sh Benchmarks/*.sh Benchmarks/programs/*.sh Fuzz/*.sh Examples/*.sh .ci/run; do
    bash -n "$script" 2>>"$findings" || true
    [[ -x "$script" ]] || echo "$script:1: is not executable" >>"$findings"
done

if [[ -s "$findings" ]]; then
    cat "$findings" >&2
    echo "lint: $(wc -l <"$findings") findings" >&2
    exit 1
fi
echo "lint: clean"
