#!/usr/bin/env bash
# install.sh install|uninstall BINARY TARGET: the program, its manual page and shell completions.
set -euo pipefail
cd "$(dirname "$0")/.."

action="$1" binary="$2" target="$3"
program="$target/bin/termgallery"
manual="$target/share/man/man1/termgallery.1"
bash_completion="$target/share/bash-completion/completions/termgallery"
zsh_completion="$target/share/zsh/site-functions/_termgallery"
fish_completion="$target/share/fish/vendor_completions.d/termgallery.fish"

# Building as root leaves files nobody else can remove, so only the copying asks for sudo.
as_root=()
nearest="$target"
until [[ -e "$nearest" ]]; do nearest="$(dirname "$nearest")"; done
if [[ ! -w "$nearest" ]]; then
    command -v sudo >/dev/null ||
        { echo "install: $nearest is not writable; try PREFIX=\$HOME/.local" >&2; exit 1; }
    echo "install: $nearest belongs to root, using sudo"
    as_root=(sudo)
fi

if [[ "$action" == uninstall ]]; then
    "${as_root[@]}" rm -fv "$program" "$manual" \
        "$bash_completion" "$zsh_completion" "$fish_completion"
    exit
fi

staging="$(mktemp -d)"
trap 'rm -rf "$staging"' EXIT
install -m 755 "$binary" "$staging/termgallery"
strip "$staging/termgallery"
for shell in bash zsh fish; do
    "$binary" --generate-completion-script "$shell" >"$staging/$shell"
done
"${as_root[@]}" install -D -m 755 "$staging/termgallery" "$program"
"${as_root[@]}" install -D -m 644 man/termgallery.1 "$manual"
"${as_root[@]}" install -D -m 644 "$staging/bash" "$bash_completion"
"${as_root[@]}" install -D -m 644 "$staging/zsh" "$zsh_completion"
"${as_root[@]}" install -D -m 644 "$staging/fish" "$fish_completion"
echo "install: $program, manual page and completions"
