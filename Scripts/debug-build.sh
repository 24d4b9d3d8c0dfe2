#!/usr/bin/env bash
# debug-build.sh [OPTION…]: the debug build that the tests and all checks share. With other flags each of
# them would compile everything anew.
set -euo pipefail

# For Package.swift: the modules that work on pixels and bytes are optimised. Not for the thread sanitizer:
# it does not see that the standard library counts references atomically, and takes a write into an array
# for a race with the reader of its last copy once the compiler has put the array's code into ours.
case " $* " in
*" --sanitize=thread "*) unset OPTIMIZED_TESTS ;;
*) export OPTIMIZED_TESTS=1 ;;
esac
# SwiftPM gives the compiler the traits in the order of a set, which is another one in each run.
export SWIFT_DETERMINISTIC_HASHING=1

exec swift build --enable-all-traits "$@"
