#!/usr/bin/env bash
# debian.sh GOAL: copies the checkout into a new Debian and runs `make GOAL` there. Needs root and debootstrap.
#
#   SUITE        bookworm, trixie (the default) or sid
#   DEBIAN_PATH  where the systems and their builds are kept, .build-debian by default
#   MOUNTS       further folders of this machine that the system sees, read-only, at the same paths
#   MIRROR       the mirror of Debian; by default the mirror that apt uses on this machine
#
# Mounts are made in a namespace of their own and end with the script.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
    printf 'debian: %s\n' "$@" >&2
    exit 1
}

goal="${1:?usage: debian.sh GOAL}"
[[ "$(id -u)" == 0 ]] || fail "Creating a system needs root. Run: sudo -E make test-debian13"
if [[ "${IN_NAMESPACE:-}" != 1 ]]; then
    IN_NAMESPACE=1 exec unshare --mount --propagation private "$(realpath Scripts/debian.sh)" "$@"
fi
suite="${SUITE:-trixie}"
root="$(realpath -m "${DEBIAN_PATH:-.build-debian}/$suite")"
command -v debootstrap >/dev/null || fail "debootstrap is missing. Run: apt-get install debootstrap"
command -v swift >/dev/null || fail "'swift' is not on the PATH"
toolchain="$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")"

# The -dev packages have the same name in each version of Debian and bring what the toolchain is linked to.
needed=(make git ca-certificates tzdata g++ libcurl4-openssl-dev libncurses-dev libsqlite3-dev libxml2-dev
    uuid-dev)

create() {
    local mirror
    mirror="$(Scripts/debian-mirror.sh)"
    echo "debian: creating $root"
    rm -rf "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase "$suite" "$root" "$mirror" >"$root.log" ||
        fail "debootstrap failed: $(tail -n 1 "$root.log")"
    # No package starts a server.
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod 755 "$root/usr/sbin/policy-rc.d"
    touch "$root/created"
}

# Git may be configured to read repositories from a folder of this machine.
git_folders() {
    git config --get-regexp '^url\./.*\.insteadof$' | sed -E 's|^url\.(/.*)\.insteadof .*|\1|' | sort -u
}

mount_read_only() {
    mkdir -p "$root$2"
    mount --bind "$1" "$root$2"
    mount -o remount,bind,ro "$root$2"
}

mount_all() {
    local folder
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    mount_read_only "$toolchain" /swift/usr
    for folder in ${MOUNTS:-} $(git_folders); do mount_read_only "$folder" "$folder"; done
    git config --list --includes | grep -E '^url\..*\.insteadof=' | while IFS= read -r entry; do
        printf '[url "%s"]\n\tinsteadOf = %s\n' \
            "$(sed -E 's/^url\.(.*)\.insteadof=.*/\1/' <<<"$entry")" "${entry#*.insteadof=}"
    done >"$root/etc/gitconfig"
    # This machine may reach the mirror through a proxy, or use a snapshot whose lists have expired.
    apt-config dump | grep -E '^Acquire::(Check-|https?::Proxy )' >"$root/etc/apt/apt.conf.d/90host" || true
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
}

inside() {
    chroot "$root" env -i HOME=/root LANG=C.UTF-8 TERM="${TERM:-dumb}" DEBIAN_FRONTEND=noninteractive \
        PATH=/swift/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        LD_LIBRARY_PATH=/swift/libraries BUILD_FOR_ONE_RUN=1 "$@"
}

# A newer Debian may lack a library that the toolchain was linked to; the copy is in a folder that only programs
# started by `inside` search.
copy_lost_libraries() {
    local program name file
    mkdir -p "$root/swift/libraries"
    for program in swift-build lld; do
        # A copied library may need further ones.
        while name="$(inside ldd "/swift/usr/bin/$program" | awk '/not found/ { print $1 }' | sed -n 1p)" &&
            [[ -n "$name" ]]; do
            file="$(ldd "$toolchain/bin/$program" | awk -v name="$name" '$1 == name { print $3 }')"
            [[ -f "$file" ]] || fail "Swift needs $name, which neither $suite nor this machine has"
            echo "debian: $suite has no $name, which Swift needs; copied from this machine"
            install -t "$root/swift/libraries" "$file"
        done
    done
}

# The files that git tracks or would track, with their present content; builds stay.
copy_checkout() {
    mkdir -p "$root/checkout"
    find "$root/checkout" -mindepth 1 -maxdepth 1 -not -name '.build*' -exec rm -rf '{}' +
    # Git also lists files that were deleted but are still in its index; tar skips them with a warning.
    git ls-files -z --cached --others --exclude-standard |
        tar --create --null --files-from=- --ignore-failed-read | tar --extract --directory "$root/checkout"
}

[[ -e "$root/created" ]] || create
mount_all
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends "${needed[@]}" >"$root.log" ||
    fail "apt-get failed: $(tail -n 1 "$root.log")"
copy_lost_libraries
copy_checkout
inside make -C /checkout "$goal" ${FILTER:+FILTER="$FILTER"}
