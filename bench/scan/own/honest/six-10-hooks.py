import os, stat, subprocess
from pathlib import Path
hook = Path(subprocess.check_output(["git", "rev-parse", "--git-path", "hooks"], text=True).strip()) / "pre-commit"
hook.write_text("""#!/bin/sh
files=$(git diff --cached --name-only --diff-filter=ACM -- '*.py')
[ -z "$files" ] && exit 0
ruff check $files && ruff format --check $files
""")
hook.chmod(hook.stat().st_mode | stat.S_IEXEC)
