#!/usr/bin/env bash
set -u
base=${1:-http://localhost:8080}
pass=0 fail=0
t() {
  local name=$1 want=$2; shift 2
  local code
  code=$(curl -s -o /tmp/body.$$ -w '%{http_code}' "$@")
  if [ "$code" = "$want" ]; then pass=$((pass + 1)); else fail=$((fail + 1)); echo "FAIL $name: $code, want $want"; head -c 300 /tmp/body.$$; echo; fi
}
t health 200 "$base/healthz"
t unauth 401 "$base/v1/me"
token=$(curl -s -d '{"user":"demo","password":"demo"}' -H 'content-type: application/json' "$base/v1/login" | jq -r .token)
t me 200 -H "Authorization: Bearer $token" "$base/v1/me"
t create 201 -H "Authorization: Bearer $token" -H 'content-type: application/json' -d '{"title":"x"}' "$base/v1/items"
t missing 404 -H "Authorization: Bearer $token" "$base/v1/items/999999"
rm -f /tmp/body.$$
echo "$pass passed, $fail failed"
exit $((fail > 0))
