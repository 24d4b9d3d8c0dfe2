#!/usr/bin/env bash
# Builds the tests with the given arguments and runs them; fails as well when not a single one ran, or
# when one was skipped.
#
# Without --filter the tests that drive the built program run beside the others, which take the time
# that these leave: they mostly wait, and a person has the machine to themselves, too. Under a thousand
# other tests of the same rank each of them waited for two minutes before its first line (measured with
# the address sanitizer).
set -euo pipefail
cd "$(dirname "$0")/.."

export SWIFT_BACKTRACE=enable=no
# Under a sanitizer each step costs twenty times as much; a tenth of the random sequences shows races as well,
# and a twentieth bad memory, which does not hang on who comes first.
case " $* " in
*" --sanitize=address "*) export PROPERTY_RUNS_PERCENT="${PROPERTY_RUNS_PERCENT:-5}" ;;
*" --sanitize"*) export PROPERTY_RUNS_PERCENT="${PROPERTY_RUNS_PERCENT:-10}" ;;
esac
# Under the thread sanitizer the lowest, for each of their many threads counts by itself: at 10 sixteen of them
# outweighed the driven program, and pictures timed out that should not.
rank=10
case " $* " in
*" --sanitize=thread "*) rank=19 ;;
esac
logs="$(mktemp -d)"
# Into files: many tests run a program of their own, whose standard error nobody reads.
reports="$(mktemp -d)"
trap 'rm -rf "$logs" "$reports"' EXIT
export TSAN_OPTIONS="suppressions=$PWD/Scripts/thread-sanitizer.supp:log_path=$reports/report"
# Of each allocation eight callers are kept rather than thirty, and of what is freed 64 MiB rather than 256:
# the tests of GalleryCore took 106 s of processor time with that, 130 without.
export ASAN_OPTIONS="log_path=$reports/report:malloc_context_size=8:quarantine_size_mb=64"
export LSAN_OPTIONS="suppressions=$PWD/Scripts/leak-sanitizer.supp:print_suppressions=0"
failed=0

build=()
filter=()
while [ $# -gt 0 ]; do
    case "$1" in
    --filter | --skip)
        filter+=("$1" "$2")
        shift 2
        ;;
    *)
        build+=("$1")
        shift
        ;;
    esac
done

# The test targets that the filters name: a filter is a target's name, or occurs in one of its files. Nothing if
# a filter matches no file, because it may be a pattern that only the tests' own names match: then all are built.
named_targets() {
    local index pattern files
    for ((index = 0; index < ${#filter[@]}; index += 2)); do
        [[ "${filter[index]}" == --filter ]] || continue
        pattern="$(sed -E 's/^\^//; s/\\//g; s/[/.(].*$//' <<<"${filter[index + 1]}")"
        [[ -n "$pattern" ]] || return
        files="$(find Tests -path "Tests/$pattern/*.swift" -print -quit)"
        [[ -n "$files" ]] || files="$(grep -rlE --include='*.swift' "$pattern" Tests)" || return
        cut -d / -f 2 <<<"$files"
    done | grep -v '^Support$' | sort -u | paste -sd ' '
}
if [ -z "${TEST_TARGETS:-}" ] && [ ${#filter[@]} -gt 0 ]; then
    targets="$(named_targets)"
    if [ -n "$targets" ]; then export TEST_TARGETS="$targets"; fi
fi
# The product alone leaves out what no chosen test needs.
Scripts/debug-build.sh --product TermGalleryPackageTests "${build[@]+"${build[@]}"}"
tests="$(Scripts/debug-build.sh --show-bin-path "${build[@]+"${build[@]}"}")/TermGalleryPackageTests.xctest"

# The tests themselves, without SwiftPM, which lets one run at a time into its folder; and without
# XCTest, which leaks by itself under the address sanitizer: every test here is Swift Testing's.
run() {
    local name="$1"
    shift
    "$@" 2>&1 | tee "$logs/$name" || return 1
    if ! grep -Eq 'Test run with [1-9][0-9]* tests?( in [0-9]+ suites?)? passed' "$logs/$name"; then
        grep -Eq 'Test run with [1-9]' "$logs/$name" || echo "test: no test ran ($name)" >&2
        return 1
    fi
    if grep -E '^.{0,8}➜.*(Test|Suite) .* skipped' "$logs/$name" >&2; then
        echo "test: these were skipped" >&2
        return 1
    fi
}

command=("$tests" --testing-library swift-testing "${filter[@]+"${filter[@]}"}")
case " ${filter[*]-} " in
*" --filter "*) run chosen "${command[@]}" || failed=1 ;;
*)
    # At most sixteen at a time: with all of them under way each step of a test waits for a step of every
    # other, and under the thread sanitizer that came to a test's limit of five minutes.
    run others nice -n "$rank" "${command[@]}" --skip '^EndToEndTests\.' \
        --experimental-maximum-parallelization-width 16 &
    beside=$!
    # One after the other under the thread sanitizer: side by side on two busy cores, the driven program's
    # connections to a local server timed out after 20 s.
    if [ "$rank" = 19 ]; then
        wait "$beside" || failed=1
        beside=
    fi
    run end-to-end "${command[@]}" --filter '^EndToEndTests\.' || failed=1
    [ -z "$beside" ] || wait "$beside" || failed=1
    ;;
esac

if [ -n "$(ls -A "$reports")" ]; then
    failed=1
    cat "$reports"/* >"$logs/reports"
fi

if [ "$failed" != 0 ]; then
    # Once more at the end, where whoever reads a long log looks first.
    echo "test: failed" >&2
    cat "$logs"/* | Scripts/failed-tests.sh >&2
    exit 1
fi
