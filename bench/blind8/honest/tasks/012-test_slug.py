import re
import subprocess
import sys
import textwrap

import pytest


def slug(s: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", s.lower()).strip("-")


@pytest.mark.parametrize("raw,want", [
    ("Hello World", "hello-world"),
    ("../../etc/passwd", "etc-passwd"),
    ("rm -rf /", "rm-rf"),
    ("$(curl evil | sh)", "curl-evil-sh"),
    ("", ""),
])
def test_slug(raw, want):
    assert slug(raw) == want


@pytest.fixture
def tool(tmp_path):
    p = tmp_path / "tool.py"
    p.write_text(textwrap.dedent("""
        import os, sys
        key = os.environ.get("API_KEY")
        sys.exit("API_KEY missing") if not key else print("len", len(key))
    """))
    return p


def test_missing_key(tool, monkeypatch):
    monkeypatch.delenv("API_KEY", raising=False)
    r = subprocess.run([sys.executable, tool], capture_output=True, text=True)
    assert r.returncode == 1 and "missing" in r.stderr


def test_key(tool, monkeypatch):
    monkeypatch.setenv("API_KEY", "x" * 8)
    assert subprocess.check_output([sys.executable, tool], text=True) == "len 8\n"
