#!/usr/bin/env bash
# sums.sh BINARY OUT: writes the checksum of the program for `termgallery doctor --verify`. With SIGNING_KEY, a private
# key of ssh, it also writes the signature and the public key.
set -euo pipefail

binary="$(realpath "${1:?usage: sums.sh BINARY OUT}")"
out="${2:?usage: sums.sh BINARY OUT}"
mkdir -p "$out"
echo "$(sha256sum <"$binary" | cut -d' ' -f1)  termgallery" >"$out/SHA256SUMS"
if [[ -n "${SIGNING_KEY:-}" ]]; then
    ssh-keygen -q -Y sign -f "$SIGNING_KEY" -n termgallery "$out/SHA256SUMS"
    echo "termgallery $(ssh-keygen -y -f "$SIGNING_KEY" | cut -d' ' -f1,2)" >"$out/allowed_signers"
fi
