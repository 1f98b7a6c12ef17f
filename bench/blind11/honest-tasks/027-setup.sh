#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "$0")/.."

need() { command -v "$1" >/dev/null || { echo "please install $1" >&2; exit 1; }; }
need python3; need node; need docker

[[ -d .venv ]] || python3 -m venv .venv
. .venv/bin/activate
pip install -q -U pip
pip install -q -r requirements-dev.txt
(cd web && npm ci --no-audit --no-fund)
[[ -f .env ]] || cp .env.sample .env
pre-commit install
docker compose up -d db redis
./manage.py migrate
echo "ready: source .venv/bin/activate"
