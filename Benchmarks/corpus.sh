#!/usr/bin/env bash
# corpus.sh: makes the images that the benchmarks decode, from Debian's wallpaper packages, under
# Benchmarks/.corpus. Existing files are kept, so a second call does nothing. CORPUS_DEBS names a folder that
# contains the packages, or in which they are stored.
set -euo pipefail
cd "$(dirname "$0")"

corpus="$PWD/.corpus"
pictures="$corpus/pictures"
packages="$corpus/packages"
debs="$(realpath -m "${CORPUS_DEBS:-$corpus/debs}")"
names=(lomiri-wallpapers-16.04 lomiri-wallpapers-20.04 mate-backgrounds
    plasma-workspace-wallpapers ukui-wallpapers)
made=0

fail() {
    printf 'corpus: %s\n' "$@" >&2
    exit 1
}

need_tools() {
    local tool
    for tool in convert cjpeg jpegtran dpkg-deb gzip; do
        command -v "$tool" >/dev/null || fail "$tool is missing; Scripts/setup.sh bench installs it"
    done
}

# The packages are only unpacked, never installed.
unpack() {
    local found=("$debs/$1"_*.deb)
    if [[ ! -e "${found[0]}" ]]; then
        echo "corpus: downloading $1"
        mkdir -p "$debs"
        # As root, apt warns that its own user cannot write to the folder, but it downloads anyway.
        (cd "$debs" && apt-get -qq download "$1" 2>&1 | grep -v unsandboxed || true)
        found=("$debs/$1"_*.deb)
        [[ -e "${found[0]}" ]] || fail "apt-get could not download $1"
    fi
    [[ ! -d "$packages/$1" ]] || return 0
    rm -rf "$packages/$1.part"
    mkdir -p "$packages/$1.part"
    dpkg-deb -x "${found[0]}" "$packages/$1.part"
    mv "$packages/$1.part" "$packages/$1"
}

# keep FILE COMMAND…: writes the output of the command to FILE, unless FILE exists.
keep() {
    local file="$pictures/$1"
    shift
    [[ ! -s "$file" ]] || return 0
    mkdir -p "$(dirname "$file")"
    "$@" >"$file.part"
    mv "$file.part" "$file"
    made=$((made + 1))
    [[ ! -t 1 ]] || printf '\rcorpus: %d pictures made ' "$made"
}

# The name of the image without its folder; for Plasma, whose files are named by size, the name of its theme.
name_of() {
    local name="${1##*/}"
    [[ "$1" != */contents/* ]] || name="${1%%/contents/*}"
    name="${name##*/}"
    echo "${name%%.*}"
}

# pixels SOURCE SIZE: the middle of the image in this shape, enlarged only if it is too small.
pixels() {
    convert "$1" -quiet -auto-orient -resize "$2^" -gravity center -extent "$2" -strip -depth 8 \
        -colorspace sRGB "${3:-ppm}:-"
}

jpeg() {
    pixels "$1" "$2" | cjpeg -quality "$3" -sample 2x2
}

# A photograph that fades out toward its corners.
faded() {
    pixels "$1" 1000x700 png24 | convert png:- \
        '(' -size 1000x700 radial-gradient:white-black -level 0,70% ')' \
        -alpha off -compose CopyOpacity -composite -strip png32:-
}

# drawing NUMBER: flat shapes on a transparent background, like icons and charts.
drawing() {
    local shapes=() index seed=$1 x y radius colors=(crimson gold navy teal coral indigo white)
    for index in {1..24}; do
        seed=$(((seed * 1103515245 + 12345) % 2147483648))
        x=$((seed / 65536 % 1000)) y=$((seed / 1024 % 700)) radius=$((20 + seed / 4096 % 90))
        shapes+=(-fill "${colors[index % 7]}")
        if ((index % 3)); then
            shapes+=(-draw "circle $x,$y $((x + radius)),$y")
        else
            shapes+=(-draw "rectangle $x,$y $((x + 2 * radius)),$((y + radius))")
        fi
    done
    convert -size 1000x700 xc:none "${shapes[@]}" -strip png32:-
}

# small SIZE NUMBER: bars, a frame and letters without antialiasing, like buttons of web pages.
small() {
    local width=${1%x*} height=${1#*x} colors=(navy gold crimson white teal black)
    convert -size "$1" "xc:${colors[$2 % 6]}" +antialias -fill "${colors[($2 + 1) % 6]}" \
        -draw "rectangle 0,0 $((width / 3)),$((height - 1))" -fill none -stroke "${colors[($2 + 2) % 6]}" \
        -draw "rectangle 1,1 $((width - 2)),$((height - 2))" -stroke none -fill "${colors[($2 + 3) % 6]}" \
        -draw "rectangle $((width / 2)),$((height / 4)) $((width * 3 / 4)),$((height / 2))" \
        -draw "line 0,$((height - 1)) $((width - 1)),0" -strip png24:-
}

# big_endian NUMBER: four bytes.
big_endian() {
    # shellcheck disable=SC2059  # the bytes are the format
    printf "$(printf '\\x%02x\\x%02x\\x%02x\\x%02x' \
        $(($1 >> 24 & 255)) $(($1 >> 16 & 255)) $(($1 >> 8 & 255)) $(($1 & 255)))"
}

# chunk TYPE FILE: a chunk of a PNG. The trailer of gzip contains the checksum that a chunk needs, with the same
# polynomial, but with the low byte first.
chunk() {
    local sum
    sum=$({ printf '%s' "$1" && cat "$2"; } | gzip -1 | tail -c 8 | od -A n -t u4 -N 4)
    big_endian "$(stat -c %s "$2")"
    printf '%s' "$1"
    cat "$2"
    big_endian $((sum))
}

# 2.7 GB of black in 2.6 MB: a gzip stream without its header and trailer, wrapped as a zlib stream. The
# Adler sum of n zero bytes is (n mod 65521, 1).
giant() {
    local side=30000 bytes parts
    bytes=$((side * (side * 3 + 1)))
    parts="$(mktemp -d "$corpus/giant.XXXXXX")"
    { big_endian "$side" && big_endian "$side" && printf '\x08\x02\x00\x00\x00'; } >"$parts/head"
    {
        printf '\x78\xda'
        head -c "$bytes" /dev/zero | gzip -9 -n | tail -c +11 | head -c -8
        big_endian $(((bytes % 65521) << 16 | 1))
    } >"$parts/data"
    : >"$parts/end"
    printf '\x89PNG\r\n\x1a\n'
    chunk IHDR "$parts/head"
    chunk IDAT "$parts/data"
    chunk IEND "$parts/end"
    rm -r "$parts"
}

make_jpegs() {
    local source name
    for source in "${large[@]}"; do
        name="$(name_of "$source")"
        keep "jpeg-12mp/$name.jpg" jpeg "$source" 4000x3000 90
        keep "progressive-12mp/$name.jpg" \
            jpegtran -progressive "$pictures/jpeg-12mp/$name.jpg"
    done
    for source in "${web[@]}"; do
        name="$(name_of "$source")"
        keep "jpeg-web/$name.jpg" jpeg "$source" 1200x800 82
        keep "progressive-web/$name.jpg" jpegtran -progressive "$pictures/jpeg-web/$name.jpg"
    done
}

make_pngs() {
    local source name number size
    for source in "${web[@]::10}"; do
        name="$(name_of "$source")"
        keep "png-rgb/$name.png" pixels "$source" 1000x700 png24
        keep "png-rgba/$name.png" faded "$source"
        keep "png-adam7/$name.png" convert "$pictures/png-rgb/$name.png" -interlace PNG png24:-
    done
    for number in {1..5}; do keep "png-flat/drawing-$number.png" drawing "$number"; done
    number=0
    for size in 41x41 48x48 57x57 64x64 72x60 81x81 88x31; do
        number=$((number + 1))
        keep "png-small/$size.png" small "$size" "$number"
    done
    keep "png-flat/arc.png" pixels "$abstract/Arc-Colors-Transparent-Wallpaper.png" 1000x700 png32
    for source in "${large[0]}" "${lomiri[0]}"/seeding_by*.jpg; do
        keep "png-24mp/$(name_of "$source").png" pixels "$source" 6000x4000 png24
    done
    for source in "$plasma"/{Kay,Altai}/contents/images/5120x2880.png; do
        keep "png-24mp-smooth/$(name_of "$source").png" pixels "$source" 6000x4000 png24
    done
    keep giant/black.png giant
    keep dot/dot.png convert -size 1x1 xc:teal png24:-
}

summary() {
    local folder count bytes
    for folder in "$pictures"/*/; do
        count=$(find "$folder" -type f ! -name '*.part' | wc -l)
        bytes=$(find "$folder" -type f ! -name '*.part' -printf '%s\n' | awk '{ n += $1 } END { print n }')
        printf 'corpus: %-18s %3d pictures, %8d bytes each\n' \
            "$(basename "$folder")" "$count" $((bytes / count))
    done
}

need_tools
for name in "${names[@]}"; do unpack "$name"; done

lomiri=("$packages"/lomiri-*/usr/share/backgrounds)
mate="$packages/mate-backgrounds/usr/share/backgrounds/mate"
abstract="$mate/abstract"
plasma="$packages/plasma-workspace-wallpapers/usr/share/wallpapers"
# Images that are enlarged by at most a twentieth; two are rendered, the rest are photographs or paintings.
large=("${lomiri[1]}"/{Kleiber_by,Painting-Colors_by,Infinite-Sea_by}*.jpg
    "${lomiri[0]}"/{Dragonfly_by,seeding_by,sunset_by}*.jpg
    "$abstract/Elephants_5640x3172.jpg" "$plasma/Shell/contents/images/5120x2880.jpg")
web=("$mate"/nature/*.jpg "${lomiri[0]}"/*.jpg "$plasma"/*/contents/images/2560x1600.jpg)

make_jpegs
make_pngs
[[ ! -t 1 ]] || printf '\r'
echo "corpus: $made pictures made, in $pictures"
summary
