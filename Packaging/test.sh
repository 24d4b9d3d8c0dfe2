#!/usr/bin/env bash
# test.sh DIST: installs, runs and removes the packages of DIST in new systems: the Debian package in Debian 12 and 13, the
# tarball in Debian 11, 12 and 13, and the wheel with pip in Debian 11. Needs root and debootstrap.
set -euo pipefail
cd "$(dirname "$0")/.."

dist="$(realpath "${1:?usage: test.sh DIST}")"
[[ "$(id -u)" == 0 ]] || { echo "test: creating systems needs root. Run: sudo -E make test-packages" >&2; exit 1; }
if [[ "${IN_NAMESPACE:-}" != 1 ]]; then
    IN_NAMESPACE=1 exec unshare --mount --propagation private "$(realpath "$0")" "$@"
fi
systems="$(realpath -m "${DEBIAN_PATH:-.build-debian}")"
version="$(Packaging/version.sh)"
image=Tests/DecodersTests/Fixtures/"$(cd Tests/DecodersTests/Fixtures && find . -name '*.jpg' | sort | head -n 1)"

# create SUITE: a new system at $root, in which a JPEG and the packages lie in /test.
create() {
    root="$systems/packages-$1"
    rm -rf "$root"
    mkdir -p "$root"
    debootstrap --variant=minbase "$1" "$root" "$(Scripts/debian-mirror.sh)" >"$root.log" ||
        { tail -n 3 "$root.log" >&2; exit 1; }
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    # This machine may reach the mirror through a proxy, or use a snapshot whose lists have expired.
    apt-config dump | grep -E '^Acquire::(Check-|https?::Proxy )' >"$root/etc/apt/apt.conf.d/90host" || true
    cp -L /etc/resolv.conf "$root/etc/"
    mkdir "$root/test"
    cp "$dist"/* "$root/test/"
    cp "$image" "$root/test/image.jpg"
    inside 'apt-get update -qq'
}

inside() {
    chroot "$root" env -i HOME=/root TERM=xterm-256color LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -euc "cd /test; $1"
}

# check PROGRAM: the installed program shows an image and has the checksum of its package. Checksums need libcrypto, and
# signatures ssh-keygen.
check() {
    inside "test \"\$($1 --version)\" = '$version'"
    inside "$1 print --size 20x5 image.jpg | grep -q '▀'"
    inside "$1 doctor --verify" | sed 's/^/  /'
}

for suite in bookworm trixie; do
    echo "test: the Debian package in $suite"
    create "$suite"
    inside 'apt-get install -y -qq --no-install-recommends ./termgallery_*.deb libssl3 openssh-client' \
        >"$root.log" 2>&1 ||
        { tail -n 5 "$root.log" >&2; exit 1; }
    check termgallery
    inside 'apt-get purge -y -qq termgallery' >"$root.log" 2>&1
    inside '! command -v termgallery && ! test -e /usr/share/doc/termgallery'
    echo "test: the tarball in $suite"
    inside 'tar -xzf termgallery-*-linux-x86_64.tar.gz'
    check "termgallery-$version-linux-x86_64/bin/termgallery"
done

echo "test: the tarball in bullseye"
create bullseye
inside 'tar -xzf termgallery-*-linux-x86_64.tar.gz && apt-get install -y -qq --no-install-recommends libssl1.1 openssh-client' \
    >"$root.log" 2>&1
check "termgallery-$version-linux-x86_64/bin/termgallery"
echo "test: the wheel in bullseye"
inside 'apt-get install -y -qq --no-install-recommends python3-venv && python3 -m venv venv' >"$root.log" 2>&1
inside 'venv/bin/pip install --quiet --no-index ./termgallery-*.whl' >"$root.log" 2>&1 ||
    { tail -n 5 "$root.log" >&2; exit 1; }
check venv/bin/termgallery
echo "test: all packages were installed and run"
