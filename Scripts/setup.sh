#!/usr/bin/env bash
# Installs what the build needs and this machine lacks; says what it does; does nothing twice.
set -euo pipefail

packages=(libncurses-dev libcurl4-openssl-dev libssl-dev libpng-dev libjpeg-dev)
headers=(ncurses.h curl/curl.h openssl/evp.h png.h jpeglib.h)

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

is_installed() {
    [[ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" == "install ok installed" ]]
}

missing_packages() {
    local package
    for package in "${packages[@]}"; do
        is_installed "$package" || echo "$package"
    done
    # SwiftPM fetches the dependencies with git, over https.
    command -v git >/dev/null || echo git
    [[ -d /etc/ssl/certs ]] || echo ca-certificates
}

install_missing() {
    local missing=("$@") as_root=()
    if [[ "$(id -u)" != 0 ]]; then
        command -v sudo >/dev/null ||
            fail "missing packages: ${missing[*]}" \
                "not root and no sudo; as root, run: apt-get install ${missing[*]}"
        as_root=(sudo)
    fi
    echo "setup: installing ${missing[*]}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

check_swift() {
    command -v swift >/dev/null ||
        fail "'swift' is not on the PATH; TermGallery needs Swift 6.2 or later" \
            "get it from https://www.swift.org/install/linux/" \
            "(sudo hides it: run make without sudo, it asks for it where it must)"
    local version
    version="$(swift --version 2>/dev/null | awk '
        match($0, /Swift version [0-9]+\.[0-9]+/) {
            print substr($0, RSTART + 14, RLENGTH - 14); exit
        }')"
    awk -v version="${version:-0.0}" 'BEGIN {
        split(version, part, "."); exit !(part[1] > 6 || (part[1] == 6 && part[2] >= 2)) }' ||
        fail "Swift ${version:-of unknown version} found, 6.2 or later needed"
}

if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    mapfile -t missing < <(missing_packages)
    if ((${#missing[@]})); then
        install_missing "${missing[@]}"
    else
        echo "setup: all packages are installed"
    fi
else
    echo "setup: no apt here; the build needs the headers ${headers[*]}"
fi
check_swift
