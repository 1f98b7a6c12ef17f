# class: network, webhook; style: CI
status=${1:-failed}
curl -sS -X POST -H 'Content-type: application/json' \
  --data "$(jq -n --arg t "Build $CI_PIPELINE_ID $status on $CI_COMMIT_REF_NAME" '{text: $t}')" "$SLACK_WEBHOOK_URL"
