#!/usr/bin/env bash
# test.sh: runs the examples of this folder on this machine, for `make cluster-test`.
#
# A real Spark standalone master with two workers fetches 20,000 URLs of the demo server. Halfway, one worker is
# killed with all its child processes. Then each URL must be in the results exactly once. GNU parallel, the script
# of Slurm without Slurm, mapInPandas and DuckDB follow with 2,000 URLs. TERMGALLERY is the program; COUNT is the
# number of URLs.
set -euo pipefail
here="$(cd "$(dirname "$0")" && pwd)"
root="$(cd "$here/../.." && pwd)"
export TERMGALLERY
TERMGALLERY="$(realpath "${TERMGALLERY:-$root/.build/release/termgallery}")"
count="${COUNT:-20000}" small=2000
venv="$root/.build/cluster-venv"

fail() {
    printf 'cluster-test: %s\n' "$@" >&2
    exit 1
}

install_missing() {
    local package missing=() as_root=()
    for package in parallel openjdk-17-jre-headless python3-venv curl procps; do
        [[ "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null)" == "install ok installed" ]] ||
            missing+=("$package")
    done
    if ((${#missing[@]})); then
        if [[ "$(id -u)" != 0 ]]; then
            command -v sudo >/dev/null || fail "as root, run: apt-get install ${missing[*]}"
            as_root=(sudo)
        fi
        echo "cluster-test: installing ${missing[*]}"
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -qq
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "${missing[@]}"
    fi
    if [[ ! -e "$venv/complete" ]]; then
        echo "cluster-test: installing PySpark, pandas, pyarrow and DuckDB in $venv"
        rm -rf "$venv"
        python3 -m venv "$venv"
        "$venv/bin/pip" install -q 'pyspark>=4,<5' 'pandas<3' pyarrow duckdb
        touch "$venv/complete"
    fi
    [[ -x "$TERMGALLERY" ]] || fail "$TERMGALLERY is missing: make release, or TERMGALLERY=/path"
}

# tree PID: prints all descendants of a process, and the process itself.
tree() {
    local child
    for child in $(pgrep -P "$1"); do tree "$child"; done
    echo "$1"
}

work="" started=()
clean_up() {
    local pid
    for pid in "${started[@]}"; do
        # shellcheck disable=SC2046  # a word for each process
        kill -KILL $(tree "$pid") 2>/dev/null || true
        # Otherwise the shell reports that each of them was killed.
        wait "$pid" 2>/dev/null || true
    done
    [[ -z "$work" ]] || rm -rf "$work"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# start LOG COMMAND…: runs the command in the background until this script ends; its process ID is $!.
start() {
    local log="$1"
    shift
    "$@" >"$log" 2>&1 &
    started+=("$!")
}

# wait_for SECONDS WHAT COMMAND…: waits until the command succeeds.
wait_for() {
    local until=$((SECONDS + $1)) what="$2"
    shift 2
    until "$@"; do
        ((SECONDS < until)) || fail "timed out waiting for $what" "$(tail -n 20 "$work"/*.log)"
        sleep 0.1
    done
}

# addresses COUNT: prints a list of URLs; one in a hundred has no image.
addresses() {
    awk -v count="$1" -v base="$base" 'BEGIN { for (id = 1; id <= count; id++)
        printf "{\"id\":%d,\"url\":\"%s/pictures/%d.jpg?%s\"}\n", id, base, id,
            id % 100 ? "width=200" : "status=404" }'
}

# Prints the processor seconds of the given processes.
processor_seconds() {
    local pid
    for pid in "$@"; do
        sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null || true
    done | awk -v ticks="$(getconf CLK_TCK)" \
        '{ sum += $12 + $13 } END { printf "%.2f", sum / ticks }'
}

start_spark() {
    local number
    export SPARK_HOME SPARK_LOCAL_IP=127.0.0.1 SPARK_DAEMON_MEMORY=256m
    export PYSPARK_PYTHON="$venv/bin/python" SPARK_LOCAL_DIRS="$work/local"
    SPARK_HOME="$("$venv/bin/python" -c 'import pyspark; print(pyspark.__path__[0])')"
    start "$work/master.log" "$SPARK_HOME/bin/spark-class" org.apache.spark.deploy.master.Master \
        --host 127.0.0.1 --port 0 --webui-port 0
    wait_for 120 "Spark's master" grep -q 'Starting Spark master at' "$work/master.log"
    master="$(grep -oE 'spark://127.0.0.1:[0-9]+' "$work/master.log" | head -n 1)"
    for number in 1 2; do
        start "$work/worker$number.log" "$SPARK_HOME/bin/spark-class" \
            org.apache.spark.deploy.worker.Worker --host 127.0.0.1 --cores 1 --memory 1g \
            --webui-port 0 --work-dir "$work/worker$number" "$master"
        workers+=("$!")
        wait_for 120 "worker $number" grep -q 'Successfully registered' "$work/worker$number.log"
    done
}

submit() {
    cd "$work"
    "$SPARK_HOME/bin/spark-submit" --master "$master" --driver-memory 512m \
        --executor-memory 512m --conf spark.ui.enabled=false --conf spark.task.maxFailures=8 "$@"
}

tars() {
    find "$1" -name '*.tar' | wc -l
}

# Prints the processes among the given ones that run the program.
fetches() {
    local pid name
    for pid in "$@"; do
        name="$(cat "/proc/$pid/comm" 2>/dev/null || true)"
        [[ "$name" != "$(basename "$TERMGALLERY" | cut -c 1-15)" ]] || echo "$pid"
    done
}

# measured FILE: prints a command that runs the program and records its processor time in FILE.
measured() {
    printf '#!/bin/sh\nexec python3 "%s" "%s" "%s" "$@"\n' \
        "$here/measure.py" "$1" "$TERMGALLERY" >"$work/measured"
    chmod +x "$work/measured"
    echo "$work/measured"
}

# Whether a third of the tars is complete, and an unfinished part on worker 2 has some tars.
middle_reached() {
    local pid part
    kill -0 "$submitted" 2>/dev/null || fail "the job failed" "$(tail -n 30 "$work/pipe.log")"
    (($(tars "$work/spark") * 3 * SHARD_SIZE >= count)) || return
    # shellcheck disable=SC2046  # a word for each process
    for pid in $(fetches $(tree "${workers[1]}")); do
        part="$(tr '\0' '\n' <"/proc/$pid/cmdline" | sed -n '/^--thumbnails$/{n;p;}')"
        [[ -z "$part" ]] || (($(tars "$part") < 2)) || return 0
    done
    return 1
}

ended() {
    ! kill -0 "$submitted" 2>/dev/null
}

spark_with_a_lost_worker() {
    local began submitted pid lost lost_seconds before wall
    addresses "$count" >"$work/list.jsonl"
    mkdir "$work/spark"
    began="$(date +%s.%N)"
    TERMGALLERY="$(measured "$work/seconds")" submit "$here/spark_pipe.py" "$work/list.jsonl" \
        "$work/spark" 8 >"$work/pipe.out" 2>"$work/pipe.log" &
    submitted="$!"
    started+=("$submitted")
    wait_for 900 "a third of the tars" middle_reached

    mapfile -t lost < <(tree "${workers[1]}")
    kill -STOP "${lost[@]}" 2>/dev/null || true
    # shellcheck disable=SC2046  # a word for each process
    lost_seconds="$(processor_seconds $(for pid in $(fetches "${lost[@]}"); do tree "$pid"; done))"
    before="$(tars "$work/spark")"
    kill -KILL "${lost[@]}" 2>/dev/null || true
    wait "${workers[1]}" 2>/dev/null || true
    echo "cluster-test: killed worker 2 and its ${#lost[@]} processes after $before tars"

    wait_for 1800 "the end of the job" ended
    wait "$submitted" || fail "the job failed" "$(tail -n 30 "$work/pipe.log")"
    wall="$(awk -v began="$began" -v now="$(date +%s.%N)" 'BEGIN { printf "%.1f", now - began }')"
    cat "$work/pipe.out"
    grep -qE ': [1-9][0-9]* URLs were already finished' "$work/pipe.out" ||
        fail "no part was resumed: the worker was killed too late, or too early"
    "$venv/bin/python" "$here/check.py" "$work/list.jsonl" "$work/spark"
    awk -v lost="$lost_seconds" -v wall="$wall" -v count="$count" '
        { ended += $1 + $2 }
        END { cpu = ended + lost
            printf "wall time                    %8.1f s\n", wall
            printf "processor, runs that ended   %8.1f s\n", ended
            printf "processor, runs killed       %8.1f s\n", lost
            printf "URLs per processor second    %8.0f\n", count / cpu }' "$work/seconds"
}

the_others() {
    local number
    addresses "$small" >"$work/small.jsonl"
    mkdir "$work/parallel" "$work/slurm" "$work/pandas"
    echo "cluster-test: GNU parallel"
    "$here/parallel.sh" "$work/small.jsonl" "$work/parallel" 500
    "$venv/bin/python" "$here/check.py" "$work/small.jsonl" "$work/parallel"
    echo "cluster-test: again, with a tar that was only partly reported, up to half a line"
    truncate -s -1000 "$work/parallel/part-2.jsonl"
    "$here/parallel.sh" "$work/small.jsonl" "$work/parallel" 500
    "$venv/bin/python" "$here/check.py" "$work/small.jsonl" "$work/parallel"
    echo "cluster-test: the tasks of Slurm's array"
    for number in 1 2 3 4; do
        SLURM_ARRAY_TASK_ID="$number" "$here/slurm.sh" "$work/small.jsonl" "$work/slurm" 4
    done
    "$venv/bin/python" "$here/check.py" "$work/small.jsonl" "$work/slurm"
    echo "cluster-test: mapInPandas, on the remaining worker"
    submit "$here/spark_pandas.py" "$work/small.jsonl" "$work/pandas" 4 2>"$work/pandas.log" ||
        fail "the job failed" "$(tail -n 30 "$work/pandas.log")"
    "$venv/bin/python" "$here/check.py" "$work/small.jsonl" "$work/pandas"
    echo "cluster-test: DuckDB"
    "$venv/bin/python" "$here/parquet.py" "$work/parallel"
}

install_missing
mkdir -p "$root/.build"
work="$(mktemp -d "$root/.build/cluster-test.XXXXXX")"
# Ten tars in each of the eight parts.
export SHARD_SIZE=$((count / 80))
export FETCH_OPTIONS="--url-key url"
workers=() master=""
start "$work/server.log" "$TERMGALLERY" serve --port 0 --count "$count" --latency 0 --bandwidth 0 \
    --failures 0
wait_for 20 "the demo server" grep -q 'feed http' "$work/server.log"
base="$(grep -oE 'http://127.0.0.1:[0-9]+' "$work/server.log" | head -n 1)"
start_spark
spark_with_a_lost_worker
the_others
echo "cluster-test: each URL is in the results exactly once"
