# ranger: add this case to handle_image or handle_mime in ~/.config/ranger/scope.sh, which gets the width as $2 and
# the height as $3. Status 4 means that the preview depends on the width and the height.
case "${MIMETYPE}" in
    image/* | application/zip | application/x-tar)
        COLUMNS="${PV_WIDTH}" LINES="${PV_HEIGHT}" termgallery preview --offline -- "${FILE_PATH}"
        exit 4
        ;;
esac
