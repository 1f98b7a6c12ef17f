set -euo pipefail
cd "$(mktemp -d)"
git clone --depth 1 https://github.com/psf/requests.git
cd requests && python3 -m venv .venv && . .venv/bin/activate
pip install -q -e . pytest && pytest -q tests/test_structures.py
