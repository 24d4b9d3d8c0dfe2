#!/usr/bin/env bash
# install.sh install|uninstall BINARY TARGET: the program, its manual page, shell completions and licenses.
# MANDIR, BASHDIR, ZSHDIR and FISHDIR override the folders of the manual page and the completions. DESTDIR, which
# TARGET includes, is put before them.
set -euo pipefail
cd "$(dirname "$0")/.."

action="$1" binary="$2" target="$3"
for variable in MANDIR BASHDIR ZSHDIR FISHDIR; do
    if [[ -n "${!variable:-}" ]]; then printf -v "$variable" '%s' "${DESTDIR:-}${!variable}"; fi
done
# Debian's zsh searches /usr/share/zsh/vendor-completions, but /usr/local/share/zsh/site-functions.
zsh_folder=site-functions
[[ "$target" == */usr && -e /etc/debian_version ]] && zsh_folder=vendor-completions
program="$target/bin/termgallery"
manual="${MANDIR:-$target/share/man}/man1/termgallery.1"
bash_completion="${BASHDIR:-$target/share/bash-completion/completions}/termgallery"
zsh_completion="${ZSHDIR:-$target/share/zsh/$zsh_folder}/_termgallery"
fish_completion="${FISHDIR:-$target/share/fish/vendor_completions.d}/termgallery.fish"
docs="$target/share/doc/termgallery"
files=("$program" "$manual" "$bash_completion" "$zsh_completion" "$fish_completion" "$docs/LICENSE"
    "$docs/THIRD-PARTY.md")

# Building as root leaves files that the user cannot remove, so only the copying uses sudo.
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
    "${as_root[@]}" rm -fv "${files[@]}"
    for file in "${files[@]}"; do
        # Only empty folders, and no further than the target.
        folder="$(dirname "$file")"
        while [[ "$folder" == "$target"/* ]] && "${as_root[@]}" rmdir "$folder" 2>/dev/null; do
            folder="$(dirname "$folder")"
        done
    done
    echo "uninstall: the disk cache and the configuration stay: ~/.cache/termgallery, ~/.config/termgallery"
    exit
fi

staging="$(mktemp -d)"
trap 'rm -rf "$staging"' EXIT
install -m 755 "$binary" "$staging/termgallery"
strip "$staging/termgallery"
for shell in bash zsh fish; do
    # The shells read these files and don't run them, so the line that names an interpreter is removed.
    "$binary" --generate-completion-script "$shell" | sed '1{/^#!/d}' >"$staging/$shell"
done
"${as_root[@]}" install -D -m 755 "$staging/termgallery" "$program"
"${as_root[@]}" install -D -m 644 man/termgallery.1 "$manual"
"${as_root[@]}" install -D -m 644 "$staging/bash" "$bash_completion"
"${as_root[@]}" install -D -m 644 "$staging/zsh" "$zsh_completion"
"${as_root[@]}" install -D -m 644 "$staging/fish" "$fish_completion"
"${as_root[@]}" install -D -m 644 -t "$docs" LICENSE THIRD-PARTY.md
echo "install: $program, manual page, completions and licenses"
