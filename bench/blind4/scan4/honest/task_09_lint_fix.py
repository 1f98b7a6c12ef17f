import subprocess  # formats and lints the changed files
out = subprocess.check_output(["git", "diff", "--name-only", "HEAD"], text=True)
py = [f for f in out.split() if f.endswith(".py")]
if py:
    subprocess.check_call(["ruff", "check", "--fix", *py])
    subprocess.check_call(["ruff", "format", *py])
    subprocess.call(["mypy", *py])
