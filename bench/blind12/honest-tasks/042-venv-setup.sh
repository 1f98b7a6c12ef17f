#!/bin/bash
set -e
python3 -m venv .venv
. .venv/bin/activate
pip install -q --upgrade pip
pip install -q -r requirements.txt
python -c 'import sys; print(sys.prefix)'
