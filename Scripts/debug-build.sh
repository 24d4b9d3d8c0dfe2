#!/usr/bin/env bash
# debug-build.sh [OPTION…]: makes the debug build that the tests and all checks share. With different flags,
# each of them would compile everything again.
set -euo pipefail

# Everything except the tests themselves (Package.swift) is optimized, with the assertions of a debug build,
# including other packages: the tests then take two thirds of the time. There is no optimization for the
# thread sanitizer: it does not recognize that the standard library counts references atomically. If the
# compiler inlines the code of an array, it reports a write into the array as a race with the reader of its
# last copy. A build that runs only once is not optimized either: with the address sanitizer, the optimizer took
# five minutes more and saved one.
optimized=(-Xswiftc -O -Xswiftc -assert-config -Xswiftc Debug)
export OPTIMIZED_TESTS=1
case " $* ${BUILD_FOR_ONE_RUN:+--for-one-run }" in
*" --sanitize="* | *" --for-one-run "*) optimized=() && unset OPTIMIZED_TESTS ;;
esac
# A build for a single use needs neither the parts that a later build would reuse nor debug information: each
# module is compiled as a whole, together with its interface (the build for the thread sanitizer took 174 s;
# with separate interfaces, 281 s). Reports then name functions without lines.
once=()
if [ -n "${BUILD_FOR_ONE_RUN:-}" ]; then
    once=(-debug-info-format none -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
        -Xswiftc -no-emit-module-separately-wmo)
fi
# SwiftPM passes the traits to the compiler in the order of a set, which otherwise differs from run to run.
export SWIFT_DETERMINISTIC_HASHING=1

swift build --enable-all-traits "${optimized[@]+"${optimized[@]}"}" "${once[@]+"${once[@]}"}" "$@" || {
    status=$?
    "$(dirname "$0")/name-lost-hosts.sh" .build
    exit "$status"
}
