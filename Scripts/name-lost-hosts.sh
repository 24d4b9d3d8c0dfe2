#!/usr/bin/env bash
# name-lost-hosts.sh FOLDER: after a failed build in FOLDER, names the host of the first package that is missing there
# and cannot be fetched. SwiftPM fetches all at once and reports only the folder that it failed to create.
set -uo pipefail
cd "$(dirname "$0")/.."

while IFS= read -r url; do
    [[ ! -d "$1/checkouts/$(basename "$url")" ]] || continue
    error="$(GIT_TERMINAL_PROMPT=0 timeout 20 git ls-remote "$url" HEAD 2>&1 >/dev/null)" && continue
    host="$(cut -d / -f 3 <<<"$url")"
    echo "build: cannot reach $host, which has $(basename "$url"): $(tail -n 1 <<<"${error:-no answer in 20 s}")" >&2
    echo "build: check the network, or tell git about a proxy (git config --global http.proxy URL), then try again" >&2
    exit
done < <(sed -nE 's/.*\.package\(url: "([^"]+)".*/\1/p' Package.swift)
