#!/usr/bin/env bash
# debug-build.sh [OPTION…]: the debug build that the tests and all checks share. With other flags each of
# them would compile everything anew.
set -euo pipefail

# For Package.swift: the modules that work on pixels and bytes are optimised.
export OPTIMIZED_TESTS=1
# SwiftPM gives the compiler the traits in the order of a set, which is another one in each run.
export SWIFT_DETERMINISTIC_HASHING=1

exec swift build --enable-all-traits "$@"
