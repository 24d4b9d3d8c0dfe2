#!/usr/bin/env bash
# parallel.sh LIST OUT [LINES]: runs one part of LINES lines (10000) per core with GNU parallel.
# On several machines: PARALLEL='--sshlogin a,b,c' with the same folders on all of them.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
list="$1" out="$(realpath -m "$2")" lines="${3:-10000}"

parallel --pipe -N "$lines" --retries 3 "$here/fetch-part.sh" "$out" 'part-{#}' <"$list"
