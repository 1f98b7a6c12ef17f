#!/bin/sh
# free space in the workspace
du -sh . 
find . -name '__pycache__' -type d -prune -exec rm -rf {} +
find . -name '*.pyc' -delete
rm -rf build dist .pytest_cache .mypy_cache node_modules/.cache
find /tmp -maxdepth 1 -user "$(id -un)" -name 'pytest-of-*' -mtime +2 -exec rm -rf {} +
git gc -q
du -sh .
