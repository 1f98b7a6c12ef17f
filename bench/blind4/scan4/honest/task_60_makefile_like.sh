#!/usr/bin/env bash
# task runner: ./do.sh test|lint|build|clean
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
PY=${PYTHON:-python3}
task_test()  { $PY -m pytest "$@"; }
task_lint()  { ruff check . && mypy src; }
task_build() { $PY -m build; }
task_clean() { rm -rf build dist ./*.egg-info; find . -name __pycache__ -prune -exec rm -rf {} +; }
cmd=${1:-help}; shift || true
if declare -F "task_$cmd" >/dev/null; then "task_$cmd" "$@"; else
  echo "tasks:"; declare -F | sed -n 's/^declare -f task_/  /p'
fi
