#!/usr/bin/env bash
# setup.sh [build|test|bench|instructions|dist]: installs the missing packages for the build, for the build and the
# tests (the default), for the benchmarks, for counting instructions, or for building packages. Reports its actions; a second run does
# nothing. `headers` only prints the packages for the build.
set -euo pipefail
cd "$(dirname "$0")/.."

# The libraries of the program, and a header of each that shows whether it is installed.
build_packages=(libncurses-dev libcurl4-openssl-dev libssl-dev libpng-dev libjpeg-dev
    libdeflate-dev libseccomp-dev zlib1g-dev libjansson-dev
    libgif-dev libwebp-dev libheif-dev libjxl-dev libtiff-dev)
headers=(ncurses.h curl/curl.h openssl/evp.h png.h jpeglib.h libdeflate.h seccomp.h zlib.h jansson.h
    gif_lib.h webp/demux.h libheif/heif.h jxl/decode.h tiffio.h)
# Libraries that are loaded with the first file that needs them, without headers: CMYK colors, SVG,
# metadata, and feeds in XML. A library may have another package in a newer Debian.
loaded_packages=(liblcms2-2 librsvg2-2 libgexiv2-2 "libxml2|libxml2-16")
# Programs that the tests start, and their packages: servers, certificates, signatures, sixels, tars, a client to
# compare with, gio, which reports the desktop's view of thumbnails, two programs that show previews, and ExifTool.
test_tools=(nginx openssl ssh-keygen img2sixel sixel2png python3 curl gio fzf lf exiftool)
test_packages=(nginx-light openssl openssh-client libsixel-bin libsixel-bin python3 curl libglib2.0-bin fzf lf
    libimage-exiftool-perl)
# A terminal with sixteen colors, which ncurses-base does not contain.
test_entries=(xterm-16color)
test_entries_package=ncurses-term
# Programs that the benchmarks compare with, that make and decode their images, and that serve them over
# a slow link.
bench_tools=(timg chafa catimg convert cjpeg img2sixel curl nginx python3 ip tc)
bench_packages=(timg chafa catimg imagemagick libjpeg-turbo-progs libsixel-bin curl nginx-light python3
    iproute2 iproute2)

fail() {
    printf 'setup: %s\n' "$@" >&2
    exit 1
}

case "${1:-test}" in
    build) test_tools=() test_entries=() first_build="six minutes" ;;
    test) first_build="ten minutes" ;;
    bench)
        test_tools=("${bench_tools[@]}") test_packages=("${bench_packages[@]}") test_entries=()
        first_build="six minutes"
        ;;
    instructions)
        test_tools=(valgrind cjpeg strip python3) test_entries=()
        test_packages=(valgrind libjpeg-turbo-progs binutils python3) first_build="six minutes"
        ;;
    dist)
        test_tools=(dpkg-shlibdeps lintian debootstrap ssh-keygen strip objdump python3) test_entries=()
        test_packages=(dpkg-dev lintian debootstrap openssh-client binutils binutils python3)
        first_build="six minutes"
        ;;
    headers)
        printf '%s\n' "${build_packages[@]}"
        exit
        ;;
    *) fail "usage: setup.sh [build|test|bench|instructions|dist|headers]" ;;
esac

is_installed() {
    [[ "$(dpkg-query -W -f '${Status}' "$1" 2>/dev/null)" == "install ok installed" ]]
}

is_any_installed() {
    local name
    for name in ${1//|/ }; do
        if is_installed "$name"; then return; fi
    done
    return 1
}

# Prints the first of the alternatives that apt knows.
available() {
    local name
    for name in ${1//|/ }; do
        if apt-cache show "$name" >/dev/null 2>&1; then break; fi
    done
    echo "$name"
}

# Servers are in folders that only root has in PATH.
has_tool() {
    PATH="$PATH:/usr/sbin:/sbin" command -v "$1" >/dev/null
}

has_entry() {
    infocmp "$1" >/dev/null 2>&1
}

missing_packages() {
    local package index entry
    for package in "${build_packages[@]}" "${loaded_packages[@]}"; do
        is_any_installed "$package" || echo "$package"
    done
    for index in "${!test_tools[@]}"; do
        has_tool "${test_tools[index]}" || echo "${test_packages[index]}"
    done
    for entry in "${test_entries[@]}"; do
        has_entry "$entry" || echo "$test_entries_package"
    done
    # SwiftPM fetches the dependencies with git, over https.
    has_tool git || echo git
    [[ -d /etc/ssl/certs ]] || echo ca-certificates
}

install_missing() {
    local missing=("$@") as_root=() package names=()
    if [[ "$(id -u)" != 0 ]]; then
        command -v sudo >/dev/null ||
            fail "missing packages: ${missing[*]%%|*}" \
                "not root and no sudo; as root, run: apt-get install ${missing[*]%%|*}"
        as_root=(sudo)
    fi
    echo "setup: installing with apt${as_root[*]:+ and sudo}: ${missing[*]%%|*}"
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
    for package in "${missing[@]}"; do names+=("$(available "$package")"); done
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "${names[@]}"
    # Debian starts the servers that it installs; the tests start their own.
    if [[ " ${missing[*]} " == *" nginx-light "* ]] && command -v systemctl >/dev/null; then
        "${as_root[@]}" systemctl disable --now nginx >/dev/null 2>&1 || true
    fi
}

check_tools() {
    local tool entry missing=()
    for tool in git "${test_tools[@]}"; do
        has_tool "$tool" || missing+=("$tool")
    done
    ((${#missing[@]} == 0)) || fail "these programs are missing: ${missing[*]}"
    for entry in "${test_entries[@]}"; do
        has_entry "$entry" ||
            fail "the terminfo entry $entry is missing (Debian has it in $test_entries_package)"
    done
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

# Without apt, only the compiler knows whether a header is installed, and where.
check_headers() {
    local header missing=() clang
    clang="$(dirname "$(readlink -f "$(command -v swift)")")/clang"
    for header in "${headers[@]}"; do
        # jpeglib.h uses FILE, but does not include its header.
        printf '#include <stdio.h>\n#include <%s>\n' "$header" | "$clang" -fsyntax-only -x c - 2>/dev/null ||
            missing+=("$header")
    done
    ((${#missing[@]} == 0)) ||
        fail "this machine has no apt, so nothing was installed" \
            "these headers are missing: ${missing[*]}" \
            "install the development packages that contain them (names on Debian: ${build_packages[*]})"
    echo "setup: no apt; all headers were found"
}

check_swift
if [[ ! -d .build ]]; then
    echo "setup: the first build takes about $first_build on two cores"
fi
if command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; then
    mapfile -t missing < <(missing_packages)
    if ((${#missing[@]})); then
        install_missing "${missing[@]}"
    else
        echo "setup: all packages are installed"
    fi
else
    check_headers
fi
check_tools
