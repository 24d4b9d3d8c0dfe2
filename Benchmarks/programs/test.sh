#!/usr/bin/env bash
# test.sh: tests the bench of whole programs: its statistics, its plots, its page.
set -euo pipefail
cd "$(dirname "$0")"
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$PWD" exec python3 -m unittest discover -s tests "$@"
