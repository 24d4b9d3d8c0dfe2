#!/usr/bin/env bash
# test-release.sh PROGRAM: runs StartTests with the release build of the program.
#
# The release build contains the Swift runtime, which finds the arguments of the process in another way than the shared
# runtime of the debug build: a preloaded library that called setenv broke only the release build.
set -euo pipefail
cd "$(dirname "$0")/.."

Scripts/debug-build.sh --product TermGalleryPackageTests
tests="$(Scripts/debug-build.sh --show-bin-path)/TermGalleryPackageTests.xctest"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
# The tests run the program that is in their own folder.
cp "$tests" "$folder/tests"
cp "$1" "$folder/termgallery"
"$folder/tests" --testing-library swift-testing --filter '^EndToEndTests\..*StartTests' 2>&1 | tee "$folder/log"
grep -Eq 'Test run with [1-9][0-9]* tests?.* passed' "$folder/log"
