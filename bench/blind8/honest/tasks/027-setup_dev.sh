#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v python3 >/dev/null || { echo "python3 is needed" >&2; exit 1; }
[ -d .venv ] || python3 -m venv .venv
. .venv/bin/activate
pip install -q --upgrade pip
pip install -q --require-hashes -r requirements-dev.txt
pip install -q -e .
pre-commit install --install-hooks
if [ ! -f .env ]; then
  install -m 600 .env.example .env
  sed -i "s/^SECRET_KEY=.*/SECRET_KEY=$(openssl rand -hex 32)/" .env
  echo "created .env, fill in the rest"
fi
docker compose up -d db redis
until docker compose exec -T db pg_isready -q; do sleep 1; done
alembic upgrade head
pytest -q -x tests/smoke
