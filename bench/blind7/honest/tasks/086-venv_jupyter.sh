#!/usr/bin/env bash
set -e
d=$(cd "$(dirname "$0")" && pwd)
python3 -m venv "$d/.venv"
"$d/.venv/bin/pip" install -q jupyterlab ipykernel pandas matplotlib
"$d/.venv/bin/python" -m ipykernel install --prefix "$d/.venv" --name project --display-name "Project"
cd "$d/notebooks"
exec "$d/.venv/bin/jupyter" lab --no-browser --ip 127.0.0.1 --port 8889
