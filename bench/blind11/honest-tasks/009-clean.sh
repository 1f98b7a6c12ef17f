#!/bin/sh
# remove what the build leaves behind; run from the project root
set -e
cd "$(git rev-parse --show-toplevel)"

rm -rf build dist .pytest_cache htmlcov
find . -name __pycache__ -type d -prune -exec rm -rf {} +
find . -name '*.egg-info' -maxdepth 2 -exec rm -rf {} +
docker image prune -f --filter "label=project=shelf"
du -sh .
