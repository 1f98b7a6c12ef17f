#!/usr/bin/env bash
set -Eeuo pipefail
trap 'echo "failed at line $LINENO: $BASH_COMMAND" >&2' ERR

section() { printf '\n\e[1m== %s ==\e[0m\n' "$*"; }

section lint
ruff check .
mypy src
shellcheck scripts/*.sh

section test
pytest -q --junitxml=reports/junit.xml --cov=src --cov-report=xml:reports/coverage.xml

section build
python -m build
twine check dist/*

if [[ ${CI_COMMIT_TAG:-} == v* ]]; then
  section publish
  TWINE_USERNAME=__token__ TWINE_PASSWORD="$PYPI_TOKEN" twine upload --non-interactive dist/*
fi
