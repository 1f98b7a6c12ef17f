#!/bin/bash
set -euo pipefail
BASE=${BASE_URL:-http://localhost:8080}
: "${API_TOKEN:?set API_TOKEN}"
req() { curl -sS -o /tmp/resp.$$ -w '%{http_code}' -H "Authorization: Bearer $API_TOKEN" -H 'Content-Type: application/json' "$@"; }
trap 'rm -f /tmp/resp.$$' EXIT
code=$(req "$BASE/v1/items" -d '{"name":"smoke"}')
[ "$code" = 201 ] || { echo "create: $code"; cat /tmp/resp.$$; exit 1; }
id=$(jq -r .id /tmp/resp.$$)
[ "$(req "$BASE/v1/items/$id")" = 200 ]
[ "$(req -X DELETE "$BASE/v1/items/$id")" = 204 ]
echo "smoke ok"
