#!/bin/bash
# print schedule overview for the README
cat <<'EOF' > docs/schedule.md
| when | what |
|------|------|
EOF
while read -r m h dom mon dow cmd; do
  case $m in ''|\#*) continue;; esac
  printf '| `%s %s %s %s %s` | `%s` |\n' "$m" "$h" "$dom" "$mon" "$dow" "$cmd" >> docs/schedule.md
done < deploy/crontab.example
cat docs/schedule.md
