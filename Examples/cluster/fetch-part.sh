#!/usr/bin/env bash
# fetch-part.sh OUT [NAME]: makes thumbnails of the URLs on standard input, one part of a list.
#
# Writes complete tars OUT/NAME/00000.tar … and OUT/NAME.jsonl, one line per URL, and prints a summary. The same
# call continues after the last complete tar. Without NAME, the first line of the input is the name. TERMGALLERY
# is the program, FETCH_OPTIONS has more options for it, and SHARD_SIZE is the number of images per tar.
set -euo pipefail

out="$1" name="${2:-}"
[[ -n "$name" ]] || IFS= read -r name
done="$out/$name.jsonl"
mkdir -p "$out/$name"

# A process that is left from a lost machine may still write here: wait for it.
exec 9>"$out/$name.lock"
flock 9

# A run that was killed may have left half a line, and a tar that it has not reported.
touch "$done"
perl -i -ne 'print if /\n\z/' "$done"
last="$(find "$out/$name" -name '[0-9]*.tar' -printf '%f\n' | sort | tail -n 1)"
if [[ -n "$last" ]]; then
    samples="$(tar -tf "$out/$name/$last" | grep -c '\.json$' || true)"
    told="$(grep -cF "\"shard\":\"$last\"" "$done" || true)"
    if [[ "$samples" != "$told" ]]; then
        perl -i -ne "print unless /\"shard\":\"$last\"/" "$done"
        rm "$out/$name/$last"
    fi
fi
before="$(wc -l <"$done")"

# Use only complete lines, because a truncated list ends in half a URL. Status 1 means that some images failed, which
# their lines report.
read -ra options <<<"${FETCH_OPTIONS:-}"
status=0
# shellcheck disable=SC2094  # the results are read before the first line is written
perl -ne 'print if /\n\z/' |
    "${TERMGALLERY:-termgallery}" fetch --no-disk-cache --jsonl --resume "$done" \
        --thumbnails "$out/$name" --shard-size "${SHARD_SIZE:-10000}" "${options[@]}" - \
        >>"$done" || status=$?
((status <= 1)) || exit "$status"
echo "$name: $before URLs were already finished, $(($(wc -l <"$done") - before)) more are finished now"
