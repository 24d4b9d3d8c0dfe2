#!/usr/bin/env bash
# behaviour.sh check|write|open [ROOT]: holds Documentation/Behaviour.md against the tests.
#   check  prints a finding a line, FILE:LINE: text; says nothing if all is well
#   write  writes the table, and takes rows that have a test now off the list of open ones
#   open   prints the rows that have neither a test nor a reason why not
set -euo pipefail
scripts="$(cd "$(dirname "$0")" && pwd)"
command="${1:-check}"
cd "${2:-$scripts/..}"

rows=Documentation/behaviour-rows.txt
open_rows=Documentation/behaviour-open.txt
table=Documentation/Behaviour.md
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
touch "$work/open"
[[ ! -e "$open_rows" ]] || sed 's/ *#.*//; /^$/d' "$open_rows" >"$work/open"

find Tests -name '*.swift' -type f -print0 | LC_ALL=C sort -z |
    LC_ALL=C xargs -0 -r awk -f "$scripts/behaviour.awk" "$rows" >"$work/citations"

# Joins rows, citations and the list of open rows; `mode` says what comes out: table or findings.
joined() {
    LC_ALL=C awk -v mode="$1" -v rows_file="$rows" -v open_file="$open_rows" '
        BEGIN { FS = "\t" }
        FILENAME ~ /citations$/ {
            if ($1 == "unknown") {
                if (mode == "findings") print $2 ": cites " $3 ", which is no row"
                next
            }
            key = $2 SUBSEP $3 SUBSEP $4
            if (key in listed) next
            listed[key] = 1
            tests[$2] = tests[$2] (tests[$2] == "" ? "" : "<br>") $3 ": " $4
            next
        }
        FILENAME ~ /open$/ { is_open[$0] = 1; next }
        /^# / || /^$/ { next }
        /^## / {
            section = substr($0, 4)
            if (mode == "table") {
                print "\n## " section "\n"
                print "| row | SDWebImage | ours | tests |"
                print "|---|---|---|---|"
            }
            next
        }
        {
            parts = split($0, part, " *[|] *")
            id = part[1]
            known[id] = 1
            ours = part[3] == "=" ? "the same" : part[3]
            sub(/^=, /, "the same, ", ours); sub(/^=; /, "the same; ", ours)
            held = tests[id]
            if (held == "" && part[4] != "") held = "none: " part[4]
            else if (held == "") held = "**open**"
            if (mode == "table") { print "| " id " | " part[2] " | " ours " | " held " |"; next }
            if (mode == "open") { if (held == "**open**") print id; next }
            if (parts != 4) print rows_file ":" FNR ": wants four columns"
            if (held == "**open**" && !(id in is_open))
                print rows_file ":" FNR ": " id " has no test and no reason why not"
            if (tests[id] != "" && id in is_open)
                print open_file ":1: " id " has a test now; run make behaviour"
            if (tests[id] != "" && part[4] != "")
                print rows_file ":" FNR ": " id " has a test, so it needs no reason"
        }
        END {
            if (mode != "findings") exit
            for (id in is_open) if (!(id in known)) print open_file ":1: " id " is no row"
        }' "$work/citations" "$work/open" "$rows"
}

whole_table() {
    cat <<'TEXT'
# Behaviour

What SDWebImage does, row by row, what we do in its place, and the tests that hold us to it. The
rows are grouped by part; those of flaws (F) and open points are regression tests of mistakes that
its versions made. SDWebImage 3.8 is meant where no version is named.

Written by `make behaviour` from `behaviour-rows.txt` and from the tests, which cite their rows in
their sentence or in the comment above it; `make lint` fails when this table is not what they say.
What is stored where stands in [Storage.md](Storage.md), the table of errors in
[Errors.md](Errors.md).
TEXT
    joined table
}

case "$command" in
    write)
        whole_table >"$table"
        joined open >"$work/still-open"
        if [[ -e "$open_rows" ]]; then
            grep -Fx -f "$work/still-open" "$work/open" >"$work/left" || true
            { grep '^#' "$open_rows" || true; cat "$work/left"; } >"$work/new"
            cp "$work/new" "$open_rows"
        fi
        joined findings | grep -v ': .* has a test now' || true
        ;;
    open) joined open ;;
    check)
        joined findings
        whole_table | cmp -s - "$table" ||
            echo "$table:1: is not what the tests say; run make behaviour"
        ;;
    *)
        echo "usage: behaviour.sh check|write|open [ROOT]" >&2
        exit 2
        ;;
esac
