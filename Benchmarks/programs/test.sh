#!/usr/bin/env bash
# test.sh: tests the benchmark of whole programs: its statistics, plots and page.
set -euo pipefail
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD" exec python3 -m unittest discover -s tests "$@"
