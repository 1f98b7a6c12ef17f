#!/bin/bash
set -euo pipefail
python3 -m venv .venv
.venv/bin/pip download -q -r requirements.txt -d wheels
.venv/bin/pip wheel -q --no-deps -w wheels .
.venv/bin/pip install --no-index --find-links wheels -r requirements.txt
.venv/bin/pip check
.venv/bin/python -c 'import app; print(app.__version__)'
