#!/bin/sh
set -eu
cd "$(git rev-parse --show-toplevel)"
find . -name __pycache__ -type d -prune -exec rm -rf {} +
find . -name '*.py[co]' -delete
find . -path ./node_modules -prune -o -name '*.tsbuildinfo' -print -delete
rm -rf build dist .pytest_cache .mypy_cache .ruff_cache coverage htmlcov *.egg-info web/dist
[ "${1:-}" = --all ] && rm -rf .venv node_modules web/node_modules
git status --short --ignored | head
