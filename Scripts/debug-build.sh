#!/usr/bin/env bash
# debug-build.sh [OPTION…]: the debug build that the tests and all checks share. With other flags each of
# them would compile everything anew.
set -euo pipefail

# All but the tests themselves (Package.swift) is optimised, with the assertions of a debug build, the
# packages of others too: the tests take two thirds of the time. Not for the thread sanitizer: it does not
# see that the standard library counts references atomically, and takes a write into an array for a race
# with the reader of its last copy once the compiler has put the array's code into ours. Nor where it is run
# once: with the address sanitizer the optimiser took five minutes more and saved one.
optimized=(-Xswiftc -O -Xswiftc -assert-config -Xswiftc Debug)
export OPTIMIZED_TESTS=1
case " $* ${BUILD_FOR_ONE_RUN:+--for-one-run }" in
*" --sanitize="* | *" --for-one-run "*) optimized=() && unset OPTIMIZED_TESTS ;;
esac
# What is built once needs neither the parts that a later build would take over nor what a debugger reads: a
# module is compiled as a whole, and its interface on the way (the thread sanitizer's build took 174 s; with
# interfaces made apart, 281). Reports name functions without lines then.
once=()
if [ -n "${BUILD_FOR_ONE_RUN:-}" ]; then
    once=(-debug-info-format none -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2
        -Xswiftc -no-emit-module-separately-wmo)
fi
# SwiftPM gives the compiler the traits in the order of a set, which is another one in each run.
export SWIFT_DETERMINISTIC_HASHING=1

exec swift build --enable-all-traits "${optimized[@]+"${optimized[@]}"}" "${once[@]+"${once[@]}"}" "$@"
