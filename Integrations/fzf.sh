# fzf: images in the preview window, text otherwise. Source this file, then run fzf-images.
# --offline: moving the cursor must not send requests.
fzf-images() {
    fzf --preview 'case $(file --brief --mime-type -- {}) in
            image/*|application/zip|application/x-tar|inode/directory) termgallery preview --offline -- {} ;;
            *) head -n 200 -- {} ;;
        esac' "$@"
}
