# ranger: add this case at the start of the function handle_mime in ~/.config/ranger/scope.sh
# (ranger --copy-config=scope). Status 4: the preview depends on the width and the height.
# ranger has at most 256 pairs of colors, so images have the 16 colors of the terminal.
case "${MIMETYPE}" in
    image/* | application/zip | application/x-tar)
        COLUMNS="${PV_WIDTH}" LINES="${PV_HEIGHT}" \
            termgallery preview --offline --colors 16 -- "${FILE_PATH}"
        exit 4
        ;;
esac
