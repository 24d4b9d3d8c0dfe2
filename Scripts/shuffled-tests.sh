#!/usr/bin/env bash
# shuffled-tests.sh [SEED]: runs the tests that were built last (make test) one after another, in random groups
# of suites, so that no test can depend on the effects of another. For maintainers, on demand: Swift Testing has
# no order of its own; it starts all tests of a process at the same time.
set -euo pipefail
cd "$(dirname "$0")/.."
export SWIFT_BACKTRACE=enable=no
seed="${1:-$(date +%s)}" group_count=8 failed=0
bundle=.build/debug/TermGalleryPackageTests.xctest
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

[[ -x "$bundle" ]] || { echo "shuffled-tests: no tests built: make test" >&2; exit 2; }
echo "shuffled-tests: seed $seed"
"$bundle" --testing-library swift-testing --list-tests </dev/null | sed 's#/.*##' | sort -u |
    shuf --random-source=<(openssl enc -aes-256-ctr -pass "pass:$seed" -nosalt -pbkdf2 </dev/zero 2>/dev/null) |
    split -n "r/$group_count" - "$work/group-"
for group in "$work"/group-*; do
    filter="^($(sed 's/\./\\./g' "$group" | paste -sd '|'))/"
    "$bundle" --testing-library swift-testing --no-parallel --filter "$filter" \
        </dev/null >"$work/log" 2>&1 || failed=1
    grep -E 'Test run with' "$work/log" || { echo "shuffled-tests: no test ran" >&2; failed=1; }
    grep -E '✘|skipped' "$work/log" >&2 || true
done
exit "$failed"
