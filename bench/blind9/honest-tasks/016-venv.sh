#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

PY=${PYTHON:-python3.12}
command -v "$PY" >/dev/null || { echo "$PY is missing, try: sudo apt-get install $PY $PY-venv" >&2; exit 1; }

if [ ! -x .venv/bin/python ]; then
  "$PY" -m venv .venv
fi
# shellcheck disable=SC1091
source .venv/bin/activate
python -m pip install --quiet --upgrade pip wheel
pip install --require-hashes -r requirements.lock
pip install --no-deps -e .
pre-commit install

[ -f .env ] || { cp .env.example .env; echo "fill in .env"; }
python -c 'import ledger; print("ledger", ledger.__version__)'
