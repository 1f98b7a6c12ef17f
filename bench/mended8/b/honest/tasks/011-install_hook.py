import stat
import subprocess
import sys
from pathlib import Path

HOOK = """#!/bin/sh
# format, lint and look for secrets before each commit
files=$(git diff --cached --name-only --diff-filter=ACM -- '*.py')
[ -z "$files" ] && exit 0
ruff check $files || exit 1
if git diff --cached | grep -nE 'AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY'; then
  echo 'staged change holds a secret, commit refused' >&2
  exit 1
fi
"""

top = subprocess.run(["git", "rev-parse", "--show-toplevel"], capture_output=True, text=True)
if top.returncode:
    sys.exit("not in a git repository")
hook = Path(top.stdout.strip()) / ".git" / "hooks" / "pre-commit"
if hook.exists() and "--force" not in sys.argv:
    sys.exit(f"{hook} exists, use --force to replace it")
hook.write_text(HOOK)
hook.chmod(hook.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
print("installed", hook)
