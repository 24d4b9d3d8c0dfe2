#!/usr/bin/env bash
# run.sh [BENCHMARK…]: builds the benchmarks with optimization, runs the named ones or all, stores their output
# under Results/ with date, machine and command, and writes the goals of the latest results into README.md. A goal
# that does not hold is reported and is not a failure, because machines and their load differ.
set -euo pipefail
cd "$(dirname "$0")"

swift build --configuration release
mkdir -p Results
binaries="$(swift build --configuration release --show-bin-path)"

mapfile -t all < <(sed -n 's/^ *benchmark("\([A-Za-z]*\)".*/\1/p' Package.swift)
(($#)) || set -- "${all[@]}"

# Prints the goals of the latest results, which are the last lines of a benchmark.
goals() {
    local name latest
    for name in "${all[@]}"; do
        latest="$(find Results -name "*-$name.txt" | sort | tail -n 1)"
        [[ -n "$latest" ]] && grep -q '^goals$' "$latest" || continue
        printf '%s\n' "${latest#Results/}"
        sed '1,/^goals$/d; /^ *goal *found *$/d' "$latest"
        echo
    done
}

# Writes standard input between the two marks in README.md.
note_in_readme() {
    awk -v goals="$(cat)" '
        /^<!-- goals end -->/ { inside = 0 }
        !inside { print }
        /^<!-- goals begin -->/ { inside = 1; print "```text"; print goals; print "```" }' \
        README.md >README.md.new
    mv README.md.new README.md
}

for name in "$@"; do
    file="Results/$(date -u +%Y-%m-%d)-$name.txt"
    {
        echo "date     $(date -u '+%Y-%m-%d %H:%M UTC')"
        echo "machine  $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)," \
            "$(nproc) cores, $(sed -n 's/^MemTotal: *//p' /proc/meminfo), Linux $(uname -r)"
        echo "load     $(cut -d' ' -f1-3 /proc/loadavg) before the run"
        echo "source   $(git describe --always --dirty 2>/dev/null || echo unknown)"
        echo "command  Benchmarks/run.sh $name"
        echo
        "$binaries/$name"
    } | tee "$file.new"
    mv "$file.new" "$file"
    echo
done

goals | note_in_readme
echo "the goals of the latest results:"
echo
goals
