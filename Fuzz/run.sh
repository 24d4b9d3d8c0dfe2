#!/usr/bin/env bash
# run.sh SECONDS [TARGET…]: builds the fuzzers with coverage and the address sanitizer, fuzzes each named
# target (or all, one after another) for this time, and stores the figures under Results/. Fails if there
# is a finding; its bytes are stored under Findings/.
#   run.sh build         builds only
#   run.sh check         checks the sources against the modules of a debug build of the program
#   run.sh corpus        writes the corpus again
#   run.sh try TARGET FILE…       checks the promise of a target with files
#   run.sh minimize TARGET FILE   makes a finding smaller: FILE.small
set -euo pipefail
cd "$(dirname "$0")"

# The backtracer of a crashing process can hang for minutes; libFuzzer prints the stack itself.
export SWIFT_BACKTRACE=enable=no
export LSAN_OPTIONS="${LSAN_OPTIONS:-suppressions=../Scripts/leak-sanitizer.supp:print_suppressions=0}"
# An allocation whose size comes from the input may fail, as in the program.
export ASAN_OPTIONS="${ASAN_OPTIONS:-allocator_may_return_null=1}"

clang="$(dirname "$(readlink -f "$(command -v swiftc)")")/clang"
PATH="$PATH:$(dirname "$clang")" # for llvm-symbolizer
library="$("$clang" -print-resource-dir)/lib/linux/libclang_rt.fuzzer_no_main-$(uname -m).a"
[[ -e "$library" ]] || { echo "fuzz: no libFuzzer in the toolchain: $library" >&2; exit 1; }

# The main program is written in Swift; libFuzzer's loop is linked to it. It is optimized, but has the checks of
# debug builds. Otherwise an access outside an unsafe buffer, but inside other memory, would stay undetected.
flags=(
    --configuration release --sanitize=address -Xswiftc -assert-config -Xswiftc Debug
    -Xswiftc -Xfrontend -Xswiftc -sanitize=address,fuzzer
    -Xcc -fsanitize=fuzzer-no-link
    -Xlinker "$library"
)
binary=.build/release/Fuzz

build() {
    # SwiftPM looks for new files of the parent package only if this package has changed.
    touch Package.swift
    if ! SWIFT_DETERMINISTIC_HASHING=1 swift build "${flags[@]}" --product "$1" >.build/build.log 2>&1; then
        cat .build/build.log >&2
        exit 1
    fi
}

# Detects changes of the code that the fuzzers call without a build, which takes minutes.
check() {
    local modules folder map name search=()
    ../Scripts/debug-build.sh --package-path .. --target FeedContracts
    modules="$(../Scripts/debug-build.sh --package-path .. --show-bin-path)"
    # The C modules that the Swift modules import: system libraries, and our own, for which SwiftPM writes the
    # module map.
    for folder in ../Sources/C*/ Sources/C*/include/; do
        [[ ! -e "$folder/module.modulemap" ]] || search+=(-I "$folder")
    done
    for map in "$modules"/C*.build/module.modulemap; do search+=(-Xcc "-fmodule-map-file=$map"); done
    for name in Fuzz MakeCorpus; do
        swiftc -typecheck -swift-version 6 -module-name "$name" "${search[@]}" \
            -I "$modules/Modules" \
            Sources/"$name"/*.swift
    done
}

# The seeds of a target: files of the format that it reads.
seeds() {
    case "$1" in
        JPEG) echo Corpus/JPEG ../Tests/DecodersTests/Fixtures ;;
        PNG | PNGFast) echo Corpus/PNG ;;
        Incremental | Damage) echo Corpus/JPEG Corpus/JPEGFast Corpus/PNG ../Tests/DecodersTests/Fixtures ;;
        BMP | ICO | QOI | GIF | WebP | AVIF | HEIC | JPEGXL | TIFF | SVG | APNG | PNM | TGA | PSD | RAW)
            echo ../Tests/DecodersTests/Fixtures/Formats ;;
        *) echo "Corpus/$1" ;;
    esac
}

dictionary() {
    case "$1" in
        JPEG*) echo jpeg ;;
        PNG*) echo png ;;
        Incremental | Damage) echo both ;;
        Feeds | JSON | Tables | Pages) echo feed ;;
        Archives) echo archive ;;
        Multipart) echo multipart ;;
        *) echo metadata ;;
    esac
}

longest() {
    case "$1" in
        JPEGFast | Incremental | Damage) echo 8192 ;;
        *) echo 4096 ;;
    esac
}

# Runs the fuzzer of a target with the limits of all targets. The time limit is elapsed time: with a lower limit, an
# input on a busy machine would look as if it hangs.
fuzz() {
    local target="$1"
    shift
    FUZZ_TARGET="$target" "$binary" -timeout=100 -rss_limit_mb=1024 -malloc_limit_mb=128 \
        -artifact_prefix="Findings/$target-" "$@"
}

figure() { sed -n "s/^stat::$1: *//p" "$2"; }

# Prints one line per target with the figures from its log.
report() {
    local target="$1" log="$2" findings="$3"
    printf '%-12s %10s executions %7s a second %6s edges %6s features %5s inputs %5s MB  %s\n' \
        "$target" \
        "$(figure number_of_executed_units "$log")" \
        "$(figure average_exec_per_sec "$log")" \
        "$(grep -o 'cov: [0-9]*' "$log" | tail -1 | cut -d' ' -f2)" \
        "$(grep -o 'ft: [0-9]*' "$log" | tail -1 | cut -d' ' -f2)" \
        "$(grep -o 'corp: [0-9]*' "$log" | tail -1 | cut -d' ' -f2)" \
        "$(figure peak_rss_mb "$log")" \
        "$findings"
}

fuzz_for() {
    local seconds="$1" target="$2" log=".build/$2.log" grown=".build/grown/$2" status=0
    mkdir -p "$grown" Findings
    # The inputs of earlier runs are kept in .build and used again.
    fuzz "$target" -max_total_time="$seconds" -print_final_stats=1 -max_len="$(longest "$target")" \
        -dict=".build/$(dictionary "$target").dict" "$grown" $(seeds "$target") \
        >"$log" 2>&1 || status=$?
    if ((status == 0)); then
        report "$target" "$log" "no finding"
        return 0
    fi
    report "$target" "$log" "FINDING"
    grep -E 'Fatal error:|ERROR:|Test unit written' "$log" | sed 's/^/    /'
    return 1
}

header() {
    echo "date     $(date -u '+%Y-%m-%d %H:%M UTC')"
    echo "machine  $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -1)," \
        "$(nproc) cores, $(sed -n 's/^MemTotal: *//p' /proc/meminfo), Linux $(uname -r)"
    echo "load     $(cut -d' ' -f1-3 /proc/loadavg) before the run"
    echo "source   $(git describe --always --dirty 2>/dev/null || echo unknown)"
    echo "command  Fuzz/run.sh $*"
    echo
}

# Fuzzes the named targets, or all, and writes a result for each.
run() {
    local seconds="$1" status=0 target file targets=("${@:2}")
    ((${#targets[@]} > 0)) || mapfile -t targets < <("$binary")
    mkdir -p Results
    for target in "${targets[@]}"; do
        file="Results/$(date -u +%Y-%m-%d)-$target.txt"
        { header "$seconds" "$target" && fuzz_for "$seconds" "$target"; } | tee "$file.new" ||
            status=1
        # A run of a few seconds is not a result.
        if ((seconds < 60)); then rm "$file.new"; else mv "$file.new" "$file"; fi
    done
    return "$status"
}

mkdir -p .build Findings
cat Dictionaries/jpeg.dict Dictionaries/png.dict >.build/both.dict
cp Dictionaries/*.dict .build/

case "${1:-}" in
    build) build Fuzz ;;
    check) check ;;
    corpus)
        build MakeCorpus
        .build/release/MakeCorpus Corpus ../Tests/DecodersTests/Fixtures
        ;;
    try)
        build Fuzz
        fuzz "${@:2}"
        ;;
    minimize)
        build Fuzz
        fuzz "$2" -minimize_crash=1 -runs=20000 -exact_artifact_path="$3.small" "$3"
        ;;
    [0-9]*)
        build Fuzz
        run "$@"
        ;;
    *)
        sed -n '2,9s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac
