#!/usr/bin/env bash
set -euo pipefail
step() { echo "::group::$1"; shift; "$@"; echo "::endgroup::"; }
python3 -m venv .venv
. .venv/bin/activate
step install pip install -q -e '.[test]'
step lint ruff check .
step types mypy src
step tests pytest -q --cov=src --cov-report=xml
python - <<'PY'
import xml.etree.ElementTree as ET
rate = float(ET.parse("coverage.xml").getroot().get("line-rate"))
print(f"coverage {rate:.1%}")
raise SystemExit(rate < 0.7)
PY
