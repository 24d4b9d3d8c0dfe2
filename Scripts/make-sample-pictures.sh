#!/usr/bin/env bash
# Writes sample-feeds/pictures and sample-feeds/local.txt again: 24 images of `termgallery serve`, small
# enough for the repository. Needs a built program and curl; for maintainers.
set -euo pipefail
cd "$(dirname "$0")/.."

program="${TERMGALLERY:-.build/release/termgallery}"
port=8798
folder=sample-feeds/pictures
feed=sample-feeds/local.txt

"$program" serve --port "$port" --count 24 >/dev/null &
server=$!
trap 'kill "$server"' EXIT

list="$(curl --silent --fail --retry 20 --retry-connrefused --retry-delay 1 \
    "http://127.0.0.1:$port/feed.txt")"
rm -rf "$folder"
mkdir -p "$folder"
echo "# Small images made by TermGallery's own demo server; same license as the program." >"$feed"
while read -r path caption; do
    [[ "$path" == \#* ]] && continue
    name="$(tr 'A-Z ' 'a-z-' <<<"$caption").${path##*.}"
    width=300
    [[ "$path" == *.png ]] && width=160
    curl --silent --fail -o "$folder/$name" "http://127.0.0.1:$port/$path?width=$width"
    echo "pictures/$name $caption" >>"$feed"
done <<<"$list"
du -sb "$folder"
