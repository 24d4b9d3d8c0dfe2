#!/usr/bin/env bash
# pictures.sh: makes the images of the README again with a real kitty under Xvfb: the grid and the
# statistics with pixels, and an animation of loads being cancelled. For maintainers; TERMGALLERY names
# the program (.build/release/termgallery). Needs Xvfb, xdotool, xwininfo, ImageMagick, kitty, pngquant and gifsicle.
set -euo pipefail
cd "$(dirname "$0")/.."
# shellcheck source=Scripts/real-terminal.sh
source Scripts/real-terminal.sh

program="$(readlink -f "${TERMGALLERY:-.build/release/termgallery}")"
[[ -x "$program" ]] || { echo "pictures: no program at $program: make release" >&2; exit 1; }
folder=Documentation/Images
work="$(mktemp -d)" columns=100 rows=30
terminal='' xvfb=''
trap finish EXIT

finish() {
    close
    [[ -z "$xvfb" ]] || kill "$xvfb" 2>/dev/null || true
    rm -rf "$work"
}

# Opens kitty with the demo inside and waits for its window: demo OPTION…
demo() {
    open kitty "$program" demo --failures 0 "$@"
    for _ in {1..100}; do
        window="$(window)"
        # A window cannot have the focus before it is visible.
        [[ -z "$window" ]] || ! xdotool mousemove 1590 990 windowfocus "$window" 2>/dev/null || return 0
        sleep 0.1
    done
    echo "pictures: kitty shows no window" >&2
    return 1
}

mkdir -m 700 "$work/run" "$work/home"
start_server

# Still images: the demo, without latency.
demo --latency 0 --bandwidth 0
sleep 12
import -window "$window" "$folder/pixels.png"
press s Next
sleep 6
import -window "$window" "$folder/statistics.png"
close

# The animation: the story that the demo tells, with cancellation, without it, and with it again.
font_size=9
demo --latency 200 --bandwidth 200k --autoscroll
frame=100
shoot() {
    local count
    for ((count = 0; count < $1; count++)); do
        import -window "$window" "$work/$frame.png"
        frame=$((frame + 1))
        sleep 0.2
    done
}
sleep 1.5
shoot 80
close
convert -delay 30 -loop 0 "$work"/*.png +dither -colors 96 -layers optimize "$work/large.gif"
gifsicle -O3 --lossy=80 --colors 96 "$work/large.gif" -o "$folder/cancelling.gif"
for picture in pixels statistics; do
    pngquant --force --strip --speed 1 --output "$folder/$picture.png" 256 "$folder/$picture.png"
done
ls -l "$folder"
