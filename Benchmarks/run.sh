#!/usr/bin/env bash
# run.sh [BENCHMARK…]: builds the benchmarks with optimisation, runs those named or all, and keeps
# what they print under Results/, with date, machine and command.
set -euo pipefail
cd "$(dirname "$0")"

swift build --configuration release
mkdir -p Results
binaries="$(swift build --configuration release --show-bin-path)"

if (($# == 0)); then
    mapfile -t all < <(sed -n 's/^ *benchmark("\([A-Za-z]*\)".*/\1/p' Package.swift)
    set -- "${all[@]}"
fi

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
done
