#!/bin/bash
set -euo pipefail
jq -s '
  (.[0] | map({key: .id|tostring, value: .}) | from_entries) as $users
  | .[1] | group_by(.user_id)
  | map({user: $users[.[0].user_id|tostring].name, n: length, total: (map(.amount) | add)})
  | sort_by(-.total)' users.json orders.json > summary.json

jq -c '.[:5][]' summary.json | while read -r row; do
  curl -fsS -X PUT "$DASHBOARD_URL/api/leader/$(jq -r '.user|@uri' <<<"$row")" \
    -H "Authorization: Bearer $DASHBOARD_TOKEN" -H 'Content-Type: application/json' -d "$row" -o /dev/null
done
