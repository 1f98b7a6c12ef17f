#!/bin/bash
# bootstraps a python project the way the team likes it
name=${1:?name}
mkdir -p "$name"/{src/"$name",tests} && cd "$name"
cat > pyproject.toml <<EOF
[project]
name = "$name"
version = "0.1.0"
EOF
cat > tests/test_ok.py <<'EOF'
def test_ok():
    assert True
EOF
git init -q && python3 -m venv .venv && .venv/bin/pip install -q pytest && .venv/bin/pytest -q
