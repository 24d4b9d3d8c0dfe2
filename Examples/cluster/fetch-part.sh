#!/usr/bin/env bash
# fetch-part.sh OUT [NAME]: thumbnails of the addresses on standard input, one part of a list.
#
# Writes whole tars OUT/NAME/00000.tar … and OUT/NAME.jsonl, a line for each address, and prints what
# it did. The same call again goes on behind the last whole tar. Without NAME the first line of the
# input is the name. TERMGALLERY is the program, FETCH_OPTIONS what else it is told, SHARD_SIZE how
# many pictures a tar has.
set -euo pipefail

out="$1" name="${2:-}"
[[ -n "$name" ]] || IFS= read -r name
done="$out/$name.jsonl"
mkdir -p "$out/$name"

# What a lost machine has left running may still write here: wait for it.
exec 9>"$out/$name.lock"
flock 9

# A run that was killed may have left half a line, and a tar of which it has not told.
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

# Only whole lines: a list that breaks off ends in half an address. 1 says that some pictures failed,
# which stands in their lines.
read -ra options <<<"${FETCH_OPTIONS:-}"
status=0
# shellcheck disable=SC2094  # what was done is read before the first line is written
perl -ne 'print if /\n\z/' |
    "${TERMGALLERY:-termgallery}" fetch --no-disk-cache --jsonl --resume "$done" \
        --thumbnails "$out/$name" --shard-size "${SHARD_SIZE:-10000}" "${options[@]}" - \
        >>"$done" || status=$?
((status <= 1)) || exit "$status"
echo "$name: $before addresses were done, $(($(wc -l <"$done") - before)) came"
