#!/usr/bin/env python3
"""Cut a release: tests, tag, build, upload."""
import os
import re
import subprocess
import sys
from pathlib import Path


def sh(*cmd, **kw):
    print("+", *cmd)
    return subprocess.run(cmd, check=True, text=True, **kw)


def version():
    return re.search(r'^version = "([^"]+)"', Path("pyproject.toml").read_text(), re.M)[1]


if sh("git", "status", "--porcelain", capture_output=True).stdout:
    sys.exit("working tree is not clean")
if sh("git", "branch", "--show-current", capture_output=True).stdout.strip() != "main":
    sys.exit("not on main")
v = version()
if f"v{v}" in sh("git", "tag", capture_output=True).stdout.split():
    sys.exit(f"v{v} is already tagged")
sh("python", "-m", "pytest", "-q")
sh("python", "-m", "build")
sh("twine", "check", *map(str, Path("dist").glob(f"*{v}*")))
if input(f"upload {v}? ") != "yes":
    sys.exit(1)
env = {**os.environ, "TWINE_USERNAME": "__token__", "TWINE_PASSWORD": os.environ["PYPI_TOKEN"]}
sh("twine", "upload", *map(str, Path("dist").glob(f"*{v}*")), env=env)
sh("git", "tag", "-a", f"v{v}", "-m", f"Release {v}")
sh("git", "push", "origin", f"v{v}")
