#!/usr/bin/env bash
# Install the hooks of this repository (lint before commit, tests before push).
set -eu
hooks=$(git rev-parse --git-path hooks)

cat > "$hooks/pre-commit" <<'H'
#!/bin/sh
files=$(git diff --cached --name-only --diff-filter=ACM -- '*.py')
[ -z "$files" ] && exit 0
ruff check $files && ruff format --check $files || {
  echo "run: ruff format" >&2
  exit 1
}
if git diff --cached | grep -nE '(AKIA[0-9A-Z]{16}|BEGIN (RSA|OPENSSH) PRIVATE KEY)'; then
  echo "this looks like a secret, not committing" >&2
  exit 1
fi
H
printf '#!/bin/sh\nexec pytest -q -x\n' > "$hooks/pre-push"
chmod +x "$hooks/pre-commit" "$hooks/pre-push"
echo "hooks installed in $hooks"
