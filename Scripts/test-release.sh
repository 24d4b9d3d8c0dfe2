#!/usr/bin/env bash
# test-release.sh PROGRAM: runs the tests of the program's start with the release.
#
# The release contains the Swift runtime, which searches for the arguments in another way than the shared runtime of
# the debug build: a preloaded library that called setenv stopped only the release.
set -euo pipefail
cd "$(dirname "$0")/.."

tests="$(Scripts/debug-build.sh --show-bin-path)/TermGalleryPackageTests.xctest"
[ -x "$tests" ] || Scripts/debug-build.sh --product TermGalleryPackageTests
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
# The tests run the program in their own folder.
cp "$tests" "$folder/tests"
cp "$1" "$folder/termgallery"
"$folder/tests" --testing-library swift-testing --filter '^EndToEndTests\..*StartTests' 2>&1 |
    tee "$folder/log"
grep -Eq 'Test run with [1-9][0-9]* tests?.* passed' "$folder/log"
