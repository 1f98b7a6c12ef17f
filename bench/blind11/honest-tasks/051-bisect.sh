#!/bin/bash
set -euo pipefail
good=${1:?good revision}
t=${2:-tests/test_cart.py::test_total}
step=$(mktemp)
trap 'rm -f "$step"; git bisect reset -q' EXIT
cat > "$step" <<EOF
#!/bin/sh
pip install -q -e . || exit 125
python -m pytest -q -x "$t"
EOF
chmod +x "$step"
git bisect start HEAD "$good"
git bisect run "$step"
git bisect log | tail -1
