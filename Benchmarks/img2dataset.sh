#!/usr/bin/env bash
# img2dataset.sh [COUNT…]: makes thumbnails of COUNT images (1000 and 10000) with `termgallery fetch` and with
# img2dataset in turn, from one local nginx. Prints processor seconds, and the similarity of the thumbnails to
# Pillow's. Both programs produce the same output: a box of 256 pixels, JPEG of quality 95, a tar with a JSON file
# for each image, which contains sha256 and EXIF.
#
# PHOTOS is a folder of photographs to cut the images from (default: the images of corpus.sh), TERMGALLERY the
# program (.build/release/termgallery), RUNS the number of measurements of 1,000 images (3).
set -euo pipefail
cd "$(dirname "$0")"

root="$(realpath ..)"
photos="$(realpath "${PHOTOS:-.corpus/pictures/jpeg-12mp}")"
program="$(realpath "${TERMGALLERY:-$root/.build/release/termgallery}")"
venv="$root/.build/img2dataset-venv"
runs="${RUNS:-3}"
(($#)) || set -- 1000 10000

fail() {
    printf 'img2dataset: %s\n' "$@" >&2
    exit 1
}

[[ -x "$program" ]] || fail "$program is missing: make release, or TERMGALLERY=/path"
[[ -d "$photos" ]] || fail "$photos is missing: corpus.sh, or PHOTOS=/folder"
PATH="$PATH:/usr/sbin"
for tool in nginx curl python3; do
    command -v "$tool" >/dev/null ||
        fail "$tool is missing: apt-get install nginx-light curl python3-venv"
done
if [[ ! -e "$venv/complete" ]]; then
    rm -rf "$venv"
    python3 -m venv "$venv"
    "$venv/bin/pip" install -q img2dataset pillow numpy
    touch "$venv/complete"
fi
# Otherwise each process would check online for a newer version of a library.
export NO_ALBUMENTATIONS_UPDATE=1

work="$(mktemp -d "$root/.build/img2dataset.XXXXXX")"
server=""
clean_up() {
    [[ -z "$server" ]] || kill "$server"
    rm -rf "$work"
}
trap clean_up EXIT

"$venv/bin/python" thumbnails.py make "$photos" "$work/www" 1000
port="$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')"
cat >"$work/nginx.conf" <<END
daemon off; pid $work/nginx.pid; worker_processes 1; error_log $work/error.log;
$([[ "$(id -u)" != 0 ]] || echo 'user root;')
events {}
http {
    access_log off; types { image/jpeg jpg; } keepalive_requests 1000000;
    client_body_temp_path $work/a; proxy_temp_path $work/b; fastcgi_temp_path $work/c;
    uwsgi_temp_path $work/d; scgi_temp_path $work/e;
    server { listen 127.0.0.1:$port backlog=4096; root $work/www; }
}
END
nginx -e "$work/error.log" -c "$work/nginx.conf" &
server="$!"
until curl -sfo "$work/first.jpg" "http://127.0.0.1:$port/0.jpg"; do
    kill -0 "$server" 2>/dev/null || fail "nginx: $(cat "$work/error.log")"
    sleep 0.1
done

# measured NAME COMMAND…: appends user, system and wall seconds of the command and all its child processes to NAME.
measured() {
    local name="$1"
    shift
    "$venv/bin/python" "$root/Examples/cluster/measure.py" "$work/$name" "$@" >"$work/$name.log" 2>&1 ||
        fail "$name: $(tail -n 20 "$work/$name.log")"
}

ours() {
    rm -rf "$work/ours"
    measured "ours-$1" "$program" fetch --no-config --no-disk-cache --transfers 32 --size 256 --quality 95 \
        --thumbnails "$work/ours" --shard-size 500 "$work/urls-$1.txt"
}

theirs() {
    rm -rf "$work/theirs"
    measured "theirs-$1" "$venv/bin/img2dataset" --url_list "$work/urls-$1.txt" \
        --output_folder "$work/theirs" --output_format webdataset --input_format txt \
        --processes_count 2 --thread_count 32 --number_sample_per_shard 500 --image_size 256 \
        --resize_mode keep_ratio_largest --encode_format jpg --encode_quality 95 \
        ${INTERPOLATION:+--downscale_interpolation "$INTERPOLATION"}
}

row() {
    awk '{ print $1 + $2, $3 }' "$work/$2-$3" | sort -n | awk -v name="$1" -v count="$3" '
        { cpu[NR] = $1; wall[NR] = $2 }
        END { middle = int((NR + 1) / 2)
            printf "%-12s %9d %9.2f %9.1f %12.0f\n", name, count, cpu[middle], wall[middle],
                count / cpu[middle] }'
}

echo "load $(cut -d ' ' -f 1-3 /proc/loadavg) before, $(nproc) cores, $("$program" --version)," \
    "img2dataset $("$venv/bin/pip" show img2dataset | sed -n 's/^Version: //p')"
printf '%-12s %9s %9s %9s %12s\n' program pictures 'CPU s' 'wall s' 'a CPU second'
for count in "$@"; do
    awk -v count="$count" -v port="$port" 'BEGIN { for (i = 0; i < count; i++)
        printf "http://127.0.0.1:%d/%d.jpg?%d\n", port, i % 1000, i }' >"$work/urls-$count.txt"
    times=$((count > 1000 ? 1 : runs))
    for ((turn = 0; turn < times; turn++)); do
        theirs "$count"
        ours "$count"
    done
    row img2dataset theirs "$count"
    row termgallery ours "$count"
    "$venv/bin/python" thumbnails.py compare "$work/www" "$work/theirs" "$work/ours"
done
echo "load $(cut -d ' ' -f 1-3 /proc/loadavg) after"
