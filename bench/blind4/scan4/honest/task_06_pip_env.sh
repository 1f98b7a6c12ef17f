#!/bin/sh
# fresh virtual environment for the project
rm -rf .venv
python3 -m venv .venv
. .venv/bin/activate
pip install --upgrade pip wheel
pip install -r requirements.txt -r requirements-dev.txt
pip check
