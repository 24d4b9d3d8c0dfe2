#!/usr/bin/env bash
# version.sh: prints the version of the program. `version.sh date` prints the date of the newest change in seconds,
# which every file in a package gets, so that two builds of one commit are equal.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-version}" in
    version) sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/TermGallery/Commands/TermGalleryCommand.swift ;;
    date) echo "${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}" ;;
    *) echo "usage: version.sh [date]" >&2; exit 2 ;;
esac
