#!/usr/bin/env bash
# Prints the parts of test logs (files, or standard input) that concern failed tests, and the sanitizers' reports.
set -euo pipefail

sed 's/\x1B\[[0-9;]*m//g' "$@" | awk '
    /^✘ (Test|Suite) / { isPrinting = /recorded an issue/ ? 60 : 1 }
    /(error|Fatal error): / { print; next }
    /(WARNING: ThreadSanitizer|ERROR: AddressSanitizer|ERROR: LeakSanitizer)/ { isPrinting = 40 }
    /^(◇|✔|➜|↳ \/\/\/)/ { isPrinting = 0 }
    isPrinting > 0 { print; isPrinting -= 1 }
' | head -n 400
