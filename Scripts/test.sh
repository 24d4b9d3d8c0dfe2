#!/usr/bin/env bash
# Runs `swift test` with the given arguments; fails as well when not a single test ran.
set -euo pipefail
cd "$(dirname "$0")/.."

export SWIFT_BACKTRACE=enable=no
# Under a sanitizer each step costs twenty times as much; a tenth of the random sequences shows
# races and bad memory as well.
case " $* " in
*" --sanitize"*) export PROPERTY_RUNS_PERCENT="${PROPERTY_RUNS_PERCENT:-10}" ;;
esac
export TSAN_OPTIONS="suppressions=$PWD/Scripts/thread-sanitizer.supp"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT

# XCTest leaks by itself under the address sanitizer, and every test here is Swift Testing's.
swift test --disable-xctest "$@" 2>&1 | tee "$log"

if ! grep -Eq 'Test run with [1-9][0-9]* tests?( in [0-9]+ suites?)? passed' "$log"; then
    echo "test: no test ran" >&2
    exit 1
fi
