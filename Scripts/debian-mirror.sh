#!/usr/bin/env bash
# debian-mirror.sh: prints the URL of the Debian mirror that apt uses on this machine, or MIRROR if it is set.
set -euo pipefail

mirror() {
    apt-get indextargets --format '$(ORIGIN) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
        awk '$1 == "Debian" && $2 == "Debian" { print $3; exit }'
}

url="${MIRROR:-}"
if [[ -z "$url" ]] && command -v apt-get >/dev/null; then
    url="$(mirror)"
    # Without package lists, apt does not know which of its sources is Debian.
    if [[ -z "$url" && "$(id -u)" == 0 ]]; then
        apt-get update -qq >&2
        url="$(mirror)"
    fi
fi
if [[ -z "$url" ]]; then
    echo "debian: apt has no source of Debian here. Set MIRROR to the URL of a mirror." >&2
    exit 1
fi
echo "$url"
