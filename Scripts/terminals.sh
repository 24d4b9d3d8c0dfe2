#!/usr/bin/env bash
# terminals.sh [NAME…]: runs the gallery in each real terminal that is installed (kitty, konsole,
# xterm, mlterm, foot; kitty also with tmux inside), under Xvfb, and compares screenshots of its window.
# Screenshots of every step are stored in .build/terminals; each fault is reported in one line. For maintainers,
# on demand.
#   TERMGALLERY  the program (.build/release/termgallery)
#   KITTY_NEW    another kitty, of 0.28 or later: adds kitty-new and kitty-new-tmux
#   TMUX_SIXEL   a tmux built with --enable-sixel: adds foot-tmux
# Needs Xvfb, xdotool, xwininfo, ImageMagick 6; dbus for Konsole, weston for foot.
set -uo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=Scripts/real-terminal.sh
source Scripts/real-terminal.sh

program="$(readlink -f "${TERMGALLERY:-.build/release/termgallery}")"
out="$PWD/.build/terminals"
columns=100 rows=30
# Goals in dB, for a thumbnail on the screen compared with the file, decoded and averaged by ImageMagick: kitty
# shows every color, the other terminals use palettes.
goal_kitty=38 goal_palette=28 # measured: kitty 39.4, Konsole and foot 35, xterm 29
faults=0 runs=0

die() { echo "terminals: $*" >&2; exit 2; }

for tool in Xvfb xdotool xwininfo import convert compare; do
    command -v "$tool" >/dev/null || die "missing: $tool (apt install xvfb xdotool x11-utils imagemagick)"
done
[[ -x "$program" ]] || die "no program at $program: make release, or TERMGALLERY=…"
mkdir -p "$out"

fault() { echo "$name: WRONG: $*"; faults=$((faults + 1)); }

# Takes a screenshot of the window when it no longer changes: shoot STEP
shoot() {
    local file="$out/$name-$1.png" still=0 last='' now
    sleep "${2:-0.7}"
    import -window "$(window)" "$file"
    for _ in {1..25}; do
        sleep 0.4
        import -window "$(window)" "$work/next.png"
        now="$(convert "$work/next.png" -format '%#' info:)"
        if [[ "$now" == "$last" ]]; then still=$((still + 1)); else still=0; fi
        ((still < 2)) || return 0
        mv "$work/next.png" "$file"
        last="$now"
    done
    fault "$1 never stands still"
}

# Prints the number of pixels that differ between two steps, without the status bar unless a third argument is given.
difference() {
    local size width height crop scale=100%
    size="$(identify -format '%w %h' "$out/$name-$1.png")"
    width="${size% *}" height="${size#* }"
    crop="${width}x$((height - ${3:-2 * height / rows}))+0+0"
    # If the connection turns out to be faster, images are sent again with more colors. The scaled-down screenshots
    # hide these small differences, but not an image that is missing, left over or moved.
    [[ "$1" == blank ]] || scale=25%
    for step in "$1" "$2"; do
        convert "$out/$name-$step.png" -crop "$crop" +repage -scale "$scale" "$work/$step.png"
    done
    compare -metric AE -fuzz 12% "$work/$1.png" "$work/$2.png" null: 2>&1 | awk '{ printf "%d\n", $1 }'
}

# The blocks of some fonts leave a few pixels outside their cells; after the end of the program none may remain.
same() {
    local pixels limit=12
    [[ "$1" != blank ]] || limit=30
    pixels="$(difference "$1" "$2" "${@:3}")"
    [[ "$pixels" =~ ^[0-9]+$ ]] && ((pixels <= limit)) || fault "$2 differs from $1 in $pixels pixels"
}

# The PSNR of the second thumbnail: cards differ from the background, and each card contains an image.
likeness() {
    local grid="$out/$name-grid.png" ground card file cell height
    file="$(find sample-feeds/pictures -type f | sort -V | sed -n 2p)"
    height="$(identify -format %h "$grid")"
    ground="$(convert "$grid" -format "%[pixel:p{12,$((height / 2))}]" info:)" # to the left of all cards
    height=$((height / rows))
    [[ "$name" != konsole ]] || height=18 # its window has bars
    cell="$(convert "$grid" -fill white +opaque "$ground" -fill black -opaque "$ground" \
        -define connected-components:verbose=true -define connected-components:area-threshold=900 \
        -connected-components 4 null: | awk -F '[ x+]+' -v most="$(identify -format %w "$grid")" '
            $3 < most / 2 && $3 > most / 20 && $4 > 60 { print $6, $5, $3 "x" $4 "+" $5 "+" $6 }' |
        sort -n | awk 'NR == 1 { top = $1 } $1 < top + 40 { print $2, $3 }' | sort -n | sed -n '2s/.* //p')"
    [[ "$cell" ]] || { fault "no cards found"; return; }
    card="$(convert "$grid" -crop "$cell" +repage -gravity SouthEast -format '%[pixel:p{1,1}]' \
        -crop 3x3+1+1 info: | head -1)"
    # In mlterm, block characters extend one pixel into the previous cell and stay there next to an image, so the
    # background of the cards (18) is trimmed like the cards (38).
    convert "$grid" -crop "$cell" +repage -gravity South -chop "0x$height" -bordercolor "$card" \
        -border 1 -fuzz 9% -trim +repage "$out/$name-thumbnail.png"
    convert "$file" -scale "$(identify -format '%wx%h!' "$out/$name-thumbnail.png")" "$out/$name-reference.png"
    decibels="$(compare -metric PSNR "$out/$name-thumbnail.png" "$out/$name-reference.png" null: 2>&1)"
    local goal=$goal_palette
    # Data that tmux passes through crosses a pipe twice, so it has 64 colors.
    [[ "$name" != kitty* || "$name" == *-tmux ]] || goal=$goal_kitty
    awk -v is="$decibels" -v goal=$goal 'BEGIN { exit !(is >= goal || is == "inf") }' ||
        fault "a thumbnail of $(identify -format %wx%h "$out/$name-thumbnail.png") px is $decibels dB alike"
}

# Runs the gallery in the terminal and waits for its images.
start() {
    rm -f "$work/pid" "$work/after"
    echo go >"$work/orders"
    await "$work/pid" || { fault "the program does not start"; return 1; }
    shoot "$1" 1.5
}

# Checks that the program has ended and has restored the terminal modes and the screen.
ended() {
    local changes
    await "$work/after" || { fault "$1 does not end it"; kill -KILL "$(<"$work/pid")"; return; }
    shoot "$1"
    same blank "$1" 0
    changes="$(diff <(tail -n +2 "$work/before") <(tail -n +2 "$work/after"))" || fault "$1: stty says $changes"
}

resize() {
    eval "$(xdotool getwindowgeometry --shell "$(window)" | grep -E '^(WIDTH|HEIGHT)=')"
    xdotool windowsize "$(window)" $((WIDTH * 7 / 10)) $((HEIGHT * 8 / 10)); shoot resized 1.5
    xdotool windowsize "$(window)" "$WIDTH" "$HEIGHT"; shoot resized-back 1.5
}

steps() {
    local signal
    shoot blank
    start grid || return
    likeness
    press question; shoot help; press Escape; shoot help-closed; same grid help-closed
    press s; shoot statistics; press Escape; shoot statistics-closed; same grid statistics-closed
    press Return; shoot detail; press Escape; shoot detail-closed; same grid detail-closed
    press Next Next Down; shoot scrolled; press Home; shoot scrolled-back; same grid scrolled-back
    [[ "$name" == foot* ]] || { resize; same grid resized-back; }
    press q; ended q
    for signal in TERM INT HUP SEGV ABRT; do
        start "before-$signal" || return
        kill -"$signal" "$(<"$work/pid")"; ended "$signal"
    done
    # Weston keeps the new size of its window, so nothing can be compared afterwards.
    [[ "$name" != foot* ]] || { start before-resize && resize; press q; }
}

finish() {
    exec 9<&-
    [[ ! -S "$work/tmux" ]] || "$tmux" -S "$work/tmux" kill-server 2>/dev/null
    close
    [[ -z "${xvfb:-}" ]] || kill "$xvfb" 2>/dev/null
    wait 2>/dev/null
    rm -rf "$work"
    xvfb=''
}

run() {
    name="$1" decibels='' tmux=tmux
    [[ "$name" != foot-tmux ]] || tmux="${TMUX_SIXEL:-no-tmux-with-sixel}"
    command -v "$(binary "$name")" >/dev/null || { echo "$name: not installed"; return; }
    [[ "$name" != *-tmux ]] || command -v "$tmux" >/dev/null || { echo "$name: no tmux"; return; }
    work="$(mktemp -d)"; trap finish EXIT; trap 'exit 130' INT TERM
    mkdir -m 700 "$work/run" "$work/home"; mkfifo "$work/orders"
    # Inside the terminal: runs the program once per order, and records its process ID and the terminal modes.
    cat >"$work/inner" <<INNER
#!/usr/bin/env bash
cd "$PWD"; unset LIBGL_ALWAYS_SOFTWARE; exec 3<>"$work/orders" 2>"$work/errors"; ulimit -c 0
export SWIFT_BACKTRACE=enable=no; clear; : >"$work/started"
while read -r _ <&3; do
    stty -a >"$work/before"
    bash -c 'echo \$\$ >"$work/pid.new"; mv "$work/pid.new" "$work/pid"; exec "\$@"' run \
        "$program" --cache-dir "$work/cache" sample-feeds/pictures 3<&-
    stty -a >"$work/after.new"; mv "$work/after.new" "$work/after"
done
INNER
    chmod +x "$work/inner"
    start_server
    open "$name" "$work/inner"
    if await "$work/started"; then
        xdotool mousemove 1590 990 windowfocus "$(window)" 2>/dev/null
        runs=$((runs + 1)); steps
        echo "$name: thumbnail ${decibels:-?} dB"
    else
        fault "does not start: $(tail -3 "$work/log")"
    fi
    finish
}

(($# > 0)) || set -- kitty kitty-new kitty-new-tmux konsole xterm mlterm foot foot-tmux
for terminal_name in "$@"; do run "$terminal_name"; done
((runs > 0)) || die "none of these terminals could be run"
echo "$runs terminals, $faults faults; pictures in $out"
((faults == 0))
