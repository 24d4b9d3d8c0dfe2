#!/usr/bin/env bash
# Runs `swift test` with the given arguments; fails as well when not a single test ran, or when one
# was skipped.
#
# Without --filter the tests that drive the built program run by themselves, after the others: a
# person has the machine to themselves, too, and under a thousand other tests each of these waited
# for two minutes before its first line (measured with the address sanitizer).
set -euo pipefail
cd "$(dirname "$0")/.."

export SWIFT_BACKTRACE=enable=no
# Under a sanitizer each step costs twenty times as much; a tenth of the random sequences shows
# races and bad memory as well.
case " $* " in
*" --sanitize"*) export PROPERTY_RUNS_PERCENT="${PROPERTY_RUNS_PERCENT:-10}" ;;
esac
log="$(mktemp)"
# Into files: many tests run a program of their own, whose standard error nobody reads.
reports="$(mktemp -d)"
trap 'rm -rf "$log" "$reports"' EXIT
export TSAN_OPTIONS="suppressions=$PWD/Scripts/thread-sanitizer.supp:log_path=$reports/report"
export ASAN_OPTIONS="log_path=$reports/report"
export LSAN_OPTIONS="suppressions=$PWD/Scripts/leak-sanitizer.supp:print_suppressions=0"
failed=0

# XCTest leaks by itself under the address sanitizer, and every test here is Swift Testing's.
run() {
    local part
    part="$(mktemp)"
    swift test --enable-all-traits --disable-xctest "$@" 2>&1 | tee "$part" || failed=1
    if ! grep -Eq 'Test run with [1-9][0-9]* tests?( in [0-9]+ suites?)? passed' "$part"; then
        failed=1
        grep -Eq 'Test run with [1-9]' "$part" || echo "test: no test ran ($*)" >&2
    fi
    if grep -E '^.{0,8}➜.*(Test|Suite) .* skipped' "$part" >&2; then
        failed=1
        echo "test: these were skipped" >&2
    fi
    cat "$part" >>"$log"
    rm -f "$part"
}

case " $* " in
*" --filter "*) run "$@" ;;
*)
    run "$@" --skip '^EndToEndTests\.'
    run "$@" --skip-build --filter '^EndToEndTests\.'
    ;;
esac

if [ -n "$(ls -A "$reports")" ]; then
    failed=1
    cat "$reports"/* >>"$log"
fi

if [ "$failed" != 0 ]; then
    # Once more at the end, where whoever reads a long log looks first.
    echo "test: failed" >&2
    Scripts/failed-tests.sh "$log" >&2
    exit 1
fi
