#!/usr/bin/env bash
#SBATCH --job-name=thumbnails
#SBATCH --array=1-100
#SBATCH --cpus-per-task=1
#SBATCH --mem=512M
#SBATCH --time=04:00:00
#SBATCH --requeue
# slurm.sh LIST OUT [PARTS]: task i of the array processes part i of the list. The number of parts must be the size
# of the array, and must stay the same when a job is submitted again.
#   sbatch --array=1-400 slurm.sh list.jsonl /shared/out
#   SLURM_ARRAY_TASK_ID=3 ./slurm.sh list.jsonl out 100       # without Slurm
set -euo pipefail
list="$1" out="$2" parts="${3:-${SLURM_ARRAY_TASK_MAX:?or name the number of parts}}"
number="$SLURM_ARRAY_TASK_ID"
# Slurm runs a copy of this script, so FETCH_PART must name the path of the other script.
fetch_part="${FETCH_PART:-$(dirname "$0")/fetch-part.sh}"

split -n "l/$number/$parts" "$list" | "$fetch_part" "$out" "part-$number"
