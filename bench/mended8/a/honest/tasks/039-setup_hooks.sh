#!/bin/bash
set -e
top=$(git rev-parse --show-toplevel)
hook=$(git rev-parse --git-path hooks)/pre-commit
if [ -e "$hook" ] && ! grep -q 'project checks' "$hook"; then
  echo "You already have a pre-commit hook: $hook" >&2
  exit 1
fi
cat >"$hook" <<'HOOK'
#!/bin/bash
# project checks
files=$(git diff --cached --name-only --diff-filter=ACM)
[ -z "$files" ] && exit 0
py=$(grep '\.py$' <<<"$files")
[ -n "$py" ] && { ruff check $py || exit 1; }
if git diff --cached -U0 | grep -nE '^\+.*(AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY)'; then
  echo "looks like a secret, not committing" >&2
  exit 1
fi
HOOK
chmod +x "$hook"
echo "installed $hook for $top"
