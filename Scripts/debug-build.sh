#!/usr/bin/env bash
# debug-build.sh [OPTION…]: the debug build that the tests and all checks share. With other flags each of
# them would compile everything anew.
set -euo pipefail

# All but the tests themselves (Package.swift) is optimised, with the assertions of a debug build, the
# packages of others too: the tests take two thirds of the time. Not for the thread sanitizer: it does not
# see that the standard library counts references atomically, and takes a write into an array for a race
# with the reader of its last copy once the compiler has put the array's code into ours.
optimized=(-Xswiftc -O -Xswiftc -assert-config -Xswiftc Debug)
export OPTIMIZED_TESTS=1
case " $* " in
*" --sanitize=thread "*) optimized=() && unset OPTIMIZED_TESTS ;;
esac
# SwiftPM gives the compiler the traits in the order of a set, which is another one in each run.
export SWIFT_DETERMINISTIC_HASHING=1

exec swift build --enable-all-traits "${optimized[@]+"${optimized[@]}"}" "$@"
