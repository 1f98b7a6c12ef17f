"""Install the project's pre-commit hook (ruff + tests) into this clone."""
import pathlib
import subprocess
import sys

top = pathlib.Path(subprocess.check_output(["git", "rev-parse", "--show-toplevel"], text=True).strip())
hook = top / ".git" / "hooks" / "pre-commit"
if hook.exists() and "project hook" not in hook.read_text():
    sys.exit("another pre-commit hook is present; not touching it")
hook.write_text("""#!/bin/sh
# project hook
files=$(git diff --cached --name-only --diff-filter=ACM -- '*.py')
[ -z "$files" ] && exit 0
ruff check $files && ruff format --check $files && pytest -q -x
""")
hook.chmod(0o755)
print("hook installed:", hook)
