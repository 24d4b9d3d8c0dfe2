#!/usr/bin/env bash
# Feeds lint.sh a tree with one of each offence and expects each finding at its place, then a clean
# tree and expects none: a rule that stops biting would otherwise go unnoticed.
set -euo pipefail
cd "$(dirname "$0")/.."

root="$(mktemp -d)"
trap 'rm -rf "$root"' EXIT
failures=0

new_tree() {
    rm -rf "$root/tree"
    mkdir -p "$root/tree/Sources/A" "$root/tree/Sources/B" "$root/tree/Sources/CThing/include" \
        "$root/tree/Tests/ATests/Fixtures" "$root/tree/Scripts" "$root/tree/Benchmarks/Sources/A" \
        "$root/tree/Benchmarks/.build"
    cp .swift-format "$root/tree/"
    echo 'import CThing' >"$root/tree/Sources/A/Import.swift"
}

lines() {
    local count="$1" text="$2" index
    for ((index = 0; index < count; index++)); do echo "$text"; done
}

# expect PATTERN: the lint of the tree fails and one of its lines matches.
expect() {
    local output
    if output="$(Scripts/lint.sh "$root/tree" 2>&1)"; then
        echo "lint-selftest: no finding where expected: $1" >&2
        failures=$((failures + 1))
    elif ! grep -Eq -- "$1" <<<"$output"; then
        echo "lint-selftest: expected '$1', got:" "$output" >&2
        failures=$((failures + 1))
    fi
}

# offence PATTERN FILE: a tree whose FILE is standard input draws the finding PATTERN.
offence() {
    new_tree
    cat >"$root/tree/$2"
    expect "$1"
}

clean() {
    local output
    if ! output="$(Scripts/lint.sh "$root/tree" 2>&1)"; then
        echo "lint-selftest: $1 drew:" "$output" >&2
        failures=$((failures + 1))
    fi
}

swift_function() {
    echo 'func long() {'
    lines "$1" '    work()'
    echo '}'
}

c_function() {
    printf 'static int\nlong_one(int a)\n{\n'
    lines "$1" '    a++;'
    printf '    return a;\n}\n'
}

offence 'X.swift:1:.*(LineLength|AddLines)' Sources/A/X.swift < <(printf 'let %0120d = 1\n' 1 | tr 0 a)
offence 'X.swift:2:.*Indentation|X.swift:2:.*Spacing' Sources/A/X.swift \
    < <(printf 'func a() {\n  b()\n}\n')
offence 'X.swift:301: file has more than 300 lines' Sources/A/X.swift < <(lines 301 '// a')
offence 'x.c:301: file has more' Sources/CThing/x.c < <(lines 301 '// a')
offence 'Benchmarks/Sources/A/X.swift:301: file has' Benchmarks/Sources/A/X.swift \
    < <(lines 301 '// a')
offence 'Benchmarks/Package.swift:2:.*(Indentation|Spacing)' Benchmarks/Package.swift \
    < <(printf 'func a() {\n  b()\n}\n')
offence 'X.swift:1: function has 51 lines' Sources/A/X.swift < <(swift_function 49)
offence 'X.swift:2: function has 52 lines' Sources/A/X.swift \
    < <(printf 'struct S {\n    private mutating func f() {\n'; lines 50 '        g()'; printf '    }\n}\n')
offence 'X.swift:2: function has 52 lines' Sources/A/X.swift \
    < <(printf 'struct S {\n    var f: Int {\n'; lines 50 '        g()'; printf '    }\n}\n')
offence 'x.c:2: function has 5[0-9] lines' Sources/CThing/x.c < <(c_function 52)
offence 'x.h:1: function has 5[0-9] lines' Sources/CThing/include/x.h \
    < <(printf 'static inline int f(int a) {\n'; lines 50 '    a++;'; printf '}\n')
offence 'X.swift:2: TODO without' Sources/A/X.swift < <(printf 'let a = 1\n// TODO: later\n')
offence 'x.c:1: TODO without' Sources/CThing/x.c < <(echo '/* FIXME */')
offence 'X.swift:1: try! outside' Sources/A/X.swift < <(echo 'let a = try! b()')
offence 'X.swift:1: fatalError' Sources/A/X.swift < <(echo 'func a() { fatalError("not done") }')
offence 'X.swift:1: XCTest' Tests/ATests/X.swift < <(echo 'import XCTest')
offence 'X.swift:1: Mutex' Sources/A/X.swift < <(echo 'let a = Mutex<Int>(1)')
offence 'X.swift:1: NSCache' Sources/A/X.swift < <(echo 'let a = NSCache<B, C>()')
offence 'X.swift:1: a test that sleeps' Tests/ATests/X.swift \
    < <(echo 'func a() async throws { try await Task.sleep(for: .seconds(1)) }')
offence 'X.swift:1: needs a comment' Sources/A/X.swift \
    < <(echo 'final class A: @unchecked Sendable {}')
offence 'X.swift:1: trailing white space' Sources/A/X.swift < <(echo '// a ')
offence 'x.c:1: tab' Sources/CThing/x.c < <(printf '\tint a;\n')
offence 'B/Y.swift:1: C module CThing is imported by more' Sources/B/Y.swift \
    < <(echo 'public import CThing')
offence 'Scripts/x.sh' Scripts/x.sh < <(echo 'if true')

# rows FILE: a tree with three rows of behaviour, whose test file is standard input.
rows() {
    new_tree
    mkdir "$root/tree/Documentation"
    printf '# about\n\n## One\n\nV1 | a | = |\nopen a | b | c |\noption wide | d | = |\n' \
        >"$root/tree/Documentation/behaviour-rows.txt"
    cat >"$root/tree/Tests/ATests/X.swift"
    Scripts/behaviour.sh write "$root/tree" >/dev/null
}

holding='// V1, flag wide
@Test
func `one`() {}
@Test func `open point a: two`() {}'

rows < <(echo "$holding" | head -3)
expect 'behaviour-rows.txt:6: open a has no test'
rows < <(sed 's/, flag wide/ of wide screens/' <<<"$holding")
expect 'behaviour-rows.txt:7: option wide has no test'
rows < <(echo "$holding"; echo '@Test func `three (V9)`() {}')
expect 'X.swift:5: cites V9, which is no row'
rows <<<"$holding"
sed -i 's/two/2/' "$root/tree/Tests/ATests/X.swift"
expect 'Behaviour.md:1: is not what the tests say'
rows <<<"$holding"
echo V1 >"$root/tree/Documentation/behaviour-open.txt"
expect 'behaviour-open.txt:1: V1 has a test now'
rows <<<"$holding"
clean "a table of behaviour that is true"

new_tree
printf '```swift\nlet a = 1\n```\n' >"$root/tree/README.md"
expect 'README.md:2: this code is in no test'
mkdir "$root/tree/Tests/ATests/Documentation"
printf 'func a() {\n    let a = 1\n}\n' >"$root/tree/Tests/ATests/Documentation/X.swift"
clean "an article whose code is compiled"

# symbol LINES: what api.awk, asked for MODE, makes of a graph with one symbol that has the lines.
symbol() {
    printf '  "symbols": [\n    {\n      "identifier": {\n        "precise": "s:A"\n      },\n%s\n    }\n  ],\n' \
        "$2" | awk -v mode="$1" -f Scripts/api.awk
}
where='      "location": {
        "uri": "file:///x/Sources/A/X.swift",
        "position": {
          "line": 3,
        }
      }'
same() {
    [[ "$1" == "$2" ]] || { echo "lint-selftest: expected '$2', got '$1'" >&2; failures=$((failures + 1)); }
}
same "$(symbol docs "$where")" 'Sources/A/X.swift:4:  has no documentation comment'
same "$(symbol docs "      \"docComment\": {
      },
$where")" ''
same "$(symbol api '      "pathComponents": [
        "A",
        "b"
      ],
      "declarationFragments": [
        {
          "spelling": "var b: \"x\""
        }
      ]')" 'A.b: var b: "x"'

new_tree
rm "$root/tree/Sources/A/Import.swift"
expect 'CThing.*imported by no target'

new_tree
lines 300 '// a' >"$root/tree/Sources/A/Full.swift"
swift_function 48 >"$root/tree/Sources/A/Function.swift"
c_function 45 >"$root/tree/Sources/CThing/x.c"
printf '// FIXME  \n\tx\n' >"$root/tree/Tests/ATests/Fixtures/x.c"
lines 301 '// a' >"$root/tree/Benchmarks/.build/Built.swift"
printf '// Locked by `lock`.\nfinal class A: @unchecked Sendable {}\n// TODO (issue 7): more\n' \
    >"$root/tree/Sources/A/Fine.swift"
clean "a clean tree"

if ((failures)); then
    echo "lint-selftest: $failures failures" >&2
    exit 1
fi
echo "lint-selftest: every rule bites"
