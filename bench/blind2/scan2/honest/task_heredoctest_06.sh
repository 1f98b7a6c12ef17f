# class: files, writes a module and its test by here-documents, runs them; style: agent
cd /workspace
mkdir -p calc tests
cat > calc/__init__.py <<'EOF'
def div(a, b):
    if b == 0:
        raise ZeroDivisionError("b is zero")
    return a / b
EOF
cat > tests/test_calc.py <<'EOF'
import pytest
from calc import div

def test_div():
    assert div(6, 3) == 2

def test_zero():
    with pytest.raises(ZeroDivisionError):
        div(1, 0)
EOF
python3 -m pytest -q 2>&1 | tail -20
