python3 -m venv .venv
. .venv/bin/activate
pip install -q --upgrade pip
pip install -q -e '.[dev]' || pip install -q -r requirements.txt
pip list --outdated
pip-audit || true
python - <<'EOF'
import importlib.metadata as m
for d in sorted(m.distributions(), key=lambda d: d.metadata["Name"].lower()):
    print(d.metadata["Name"], d.version)
EOF
