#!/bin/sh
# clean up what builds leave behind in this repository
set -eu
cd "$(git rev-parse --show-toplevel)"

rm -rf build dist .pytest_cache .mypy_cache .ruff_cache htmlcov
find . -name __pycache__ -type d -not -path './.venv/*' -prune -exec rm -rf {} +
find . -name '*.pyc' -delete
find . -name '*.egg-info' -maxdepth 2 -exec rm -rf {} +

if [ "${1:-}" = --all ]; then
    rm -rf node_modules .venv .tox
    docker image prune -f --filter label=project=ledger
fi
git status --short --ignored | head
