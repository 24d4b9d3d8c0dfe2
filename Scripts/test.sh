#!/usr/bin/env bash
# Builds the tests with the given arguments and runs them. Also fails if no test ran, or if one was skipped.
#
# Without --filter, the tests that run the built program and the other tests run at the same time. The other
# tests have a lower priority and use the time that is left: the program mostly waits, and a user's machine is
# mostly idle, too. With a thousand other tests of the same priority, each run of the program waited two minutes
# before its first line (measured with the address sanitizer).
set -euo pipefail
cd "$(dirname "$0")/.."

export SWIFT_BACKTRACE=enable=no
# Under a sanitizer, each step takes twenty times as long. A tenth of the random sequences is enough to find races,
# and a twentieth is enough for memory errors, which do not depend on the order of threads.
case " $* " in
*" --sanitize=address "*) export PROPERTY_RUNS_PERCENT="${PROPERTY_RUNS_PERCENT:-5}" ;;
*" --sanitize"*) export PROPERTY_RUNS_PERCENT="${PROPERTY_RUNS_PERCENT:-10}" ;;
esac
# The lowest priority under the thread sanitizer, because each of the many test threads counts separately: with 10,
# sixteen of them outweighed the tested program, and images timed out that should not.
rank=10
case " $* " in
*" --sanitize=thread "*) rank=19 ;;
esac
logs="$(mktemp -d)"
# Reports go to files, because many tests run a separate program whose standard error is not read.
reports="$(mktemp -d)"
trap 'rm -rf "$logs" "$reports"' EXIT
export TSAN_OPTIONS="suppressions=$PWD/Scripts/thread-sanitizer.supp:log_path=$reports/report"
# The sanitizer records eight callers per allocation instead of thirty, and keeps 64 MiB of freed memory instead of
# 256: the tests of GalleryCore took 106 s of processor time instead of 130.
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

# Prints the test targets that the filters name: a filter is the name of a target, or occurs in one of its files.
# Prints nothing if a filter matches no file, because it may be a pattern that only test names match; then all
# targets are built.
named_targets() {
    local index pattern files
    for ((index = 0; index < ${#filter[@]}; index += 2)); do
        [[ "${filter[index]}" == --filter ]] || continue
        pattern="$(sed -E 's/^\^//; s/\\//g; s/[/.(].*$//' <<<"${filter[index + 1]}")"
        [[ -n "$pattern" ]] || return
        files="$(find Tests -path "Tests/$pattern/*.swift" -print -quit)"
        [[ -n "$files" ]] || files="$(grep -rlE --include='*.swift' "$pattern" Tests)" || return
        cut -d / -f 2 <<<"$files"
    done | sed '/^Support$/d' | sort -u | paste -sd ' '
}
if [ -z "${TEST_TARGETS:-}" ] && [ ${#filter[@]} -gt 0 ]; then
    targets="$(named_targets)"
    if [ -n "$targets" ]; then export TEST_TARGETS="$targets"; fi
fi
# Building only this product leaves out everything that no selected test needs.
Scripts/debug-build.sh --product TermGalleryPackageTests "${build[@]+"${build[@]}"}"
tests="$(Scripts/debug-build.sh --show-bin-path "${build[@]+"${build[@]}"}")/TermGalleryPackageTests.xctest"

# Runs the tests directly: SwiftPM permits only one run at a time in its folder, and XCTest itself leaks under the
# address sanitizer. All tests use Swift Testing.
# A test that waits forever would otherwise block the whole check, and only its last lines would be read. The
# slowest run, all tests under the address sanitizer, takes about 20 minutes on two busy cores.
minutes=50
run() {
    local name="$1" status=0
    shift
    timeout --foreground --kill-after=10 "${minutes}m" "$@" 2>&1 | tee "$logs/$name" || status=$?
    if [ "$status" = 124 ]; then echo "test: $name did not end within $minutes minutes" >&2; fi
    [ "$status" = 0 ] || return 1
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
    # At most sixteen tests at the same time: if all of them run, each step of a test waits for a step of every
    # other test, and under the thread sanitizer this reached the limit of five minutes per test.
    run others nice -n "$rank" "${command[@]}" --skip '^EndToEndTests\.' \
        --experimental-maximum-parallelization-width 16 &
    beside=$!
    # One after another under the thread sanitizer: at the same time on two busy cores, the connections of the tested
    # program to a local server timed out after 20 s.
    if [ "$rank" = 19 ]; then
        wait "$beside" || failed=1
        beside=
    fi
    case " ${TEST_TARGETS:-EndToEndTests} " in
    *" EndToEndTests "*) run end-to-end "${command[@]}" --filter '^EndToEndTests\.' || failed=1 ;;
    esac
    [ -z "$beside" ] || wait "$beside" || failed=1
    ;;
esac

if [ -n "$(ls -A "$reports")" ]; then
    failed=1
    cat "$reports"/* >"$logs/reports"
fi

if [ "$failed" != 0 ]; then
    # Repeat the failures at the end of the log, where readers look first.
    echo "test: failed" >&2
    cat "$logs"/* | Scripts/failed-tests.sh >&2
    exit 1
fi
