#!/usr/bin/env bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

python3 -m venv .venv
. .venv/bin/activate
pip install -q -U pip wheel
pip install -q -r requirements.txt -r requirements-dev.txt
(cd web && npm ci --no-audit)

[ -f .env ] || { cp .env.example .env; sed -i "s/^SECRET_KEY=.*/SECRET_KEY=$(openssl rand -hex 32)/" .env; }

docker compose up -d db redis
until docker compose exec -T db pg_isready -q; do sleep 1; done
python manage.py migrate
python manage.py loaddata demo
echo "ready: python manage.py runserver"
