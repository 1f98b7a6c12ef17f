#!/bin/sh
# installs this repository's own commit checks
set -e
top=$(git rev-parse --show-toplevel)
cat > "$top/.git/hooks/pre-commit" <<'EOF'
#!/bin/sh
npx lint-staged || exit 1
if git diff --cached --name-only | grep -q '\.env$'; then
  echo "do not commit .env" >&2
  exit 1
fi
EOF
chmod +x "$top/.git/hooks/pre-commit"
