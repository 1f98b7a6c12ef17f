#!/usr/bin/env bash
set -euo pipefail
API=https://api.example.org/v3
token=$(curl -fsS -X POST "$API/oauth/token" -d grant_type=client_credentials -u "$CLIENT_ID:$CLIENT_SECRET" | jq -r .access_token)
page=1
: > items.jsonl
while :; do
  body=$(curl -fsS -H "Authorization: Bearer $token" "$API/items?page=$page&per_page=100")
  n=$(jq '.items | length' <<< "$body")
  [ "$n" -gt 0 ] || break
  jq -c '.items[]' <<< "$body" >> items.jsonl
  page=$((page + 1))
done
wc -l items.jsonl
