#!/usr/bin/env bash
# real-terminal.sh: sourced by terminals.sh and pictures.sh. Starts real terminals under Xvfb. Requires $work (a
# separate folder that contains run and home), $columns, $rows and, for tmux inside a terminal, $tmux.

# The command that starts a terminal: binary NAME
binary() {
    case "${1%-tmux}" in
        kitty-new) echo "${KITTY_NEW:-no-other-kitty}" ;;
        *) echo "${1%-tmux}" ;;
    esac
}

# Replaces this process by the terminal: launch NAME COMMAND…
launch() {
    local name="$1" font='DejaVu Sans Mono'
    shift
    if [[ "$name" == *-tmux ]]; then
        printf '%s\n' 'set -g allow-passthrough on' 'set -g status off' \
            'set -g default-terminal tmux-256color' >"$work/tmux.conf"
        [[ "$name" == kitty* ]] || echo "set -as terminal-features '*:sixel'" >>"$work/tmux.conf"
        set -- "$tmux" -S "$work/tmux" -f "$work/tmux.conf" new-session "$@"
    fi
    case "${name%-tmux}" in
        kitty | kitty-new)
            exec "$(binary "$name")" --config NONE -o remember_window_size=no \
                -o initial_window_width=${columns}c -o initial_window_height=${rows}c \
                -o update_check_interval=0 -o confirm_os_window_close=0 -o enable_audio_bell=no \
                -o cursor_blink_interval=0 -o clear_all_shortcuts=yes -o font_family="$font" -o font_size="${font_size:-11}" \
                -o linux_display_server=x11 "$@" ;;
        xterm)
            exec xterm -ti vt340 -tn xterm-256color -bg black -fg white -fa "$font" -fs 11 \
                -xrm 'XTerm*decTerminalID: vt340' -xrm 'XTerm*numColorRegisters: 1024' \
                -xrm 'XTerm*maxGraphicSize: 4000x4000' -geometry ${columns}x$rows -e "$@" ;;
        mlterm) exec mlterm --sb=false -b black -f white -w 16 -g ${columns}x$rows -e "$@" ;;
        konsole)
            exec dbus-run-session -- konsole --nofork --hide-menubar -p TerminalColumns=$columns \
                -p TerminalRows=$rows -e "$@" ;;
        foot) # on Wayland: weston is the window of the X server
            weston --backend=x11-backend.so --use-pixman --shell=kiosk-shell.so --socket=lab \
                --idle-time=0 --width=$((columns * 9)) --height=$((rows * 18)) &
            await "$work/run/lab"
            WAYLAND_DISPLAY=lab exec foot -o pad=0x0 -f "$font:size=11" "$@" ;;
    esac
}

# Waits up to 20 s for a file: await FILE
await() {
    for _ in {1..200}; do [[ ! -e "$1" ]] || return 0; sleep 0.1; done
    return 1
}

window() {
    xwininfo -root -children | sed -nE 's/^ +(0x[0-9a-f]+) .* ([0-9]+)x([0-9]+)\+.*$/\2 \3 \1/p' |
        awk '$1 * $2 > most { most = $1 * $2; id = $3 } END { print id }'
}

press() { local key; for key in "$@"; do xdotool key "$key"; sleep 0.15; done; }

# Starts an X server on a free display number and sets DISPLAY: start_server
start_server() {
    local number
    exec 9< <(exec Xvfb -displayfd 1 -screen 0 1600x1000x24 -nolisten tcp 2>/dev/null)
    xvfb=$!
    read -r -t 10 -u 9 number || { echo "Xvfb does not start" >&2; exit 2; }
    export DISPLAY=":$number"
}

# Starts the terminal in a process group and a home of its own: open NAME COMMAND…
open() {
    set -m
    (export HOME="$work/home" XDG_RUNTIME_DIR="$work/run" XDG_CONFIG_HOME="$work/home/config" \
        LIBGL_ALWAYS_SOFTWARE=1 QT_QPA_PLATFORM=xcb LC_ALL=C.UTF-8
    unset WAYLAND_DISPLAY TMUX TMUX_PANE TERM TERM_PROGRAM COLORTERM VTE_VERSION KONSOLE_VERSION \
        KITTY_WINDOW_ID KITTY_PID
    launch "$@") >"$work/log" 2>&1 &
    terminal=$!
    set +m
}

# Ends the terminal and the programs in it.
close() {
    [[ -z "${terminal:-}" ]] || kill -- "-$terminal" 2>/dev/null || true
    [[ -z "${terminal:-}" ]] || wait "$terminal" 2>/dev/null || true
    terminal=''
}
