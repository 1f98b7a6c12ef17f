#!/bin/bash
# open merge requests
: "${GITLAB_TOKEN:?}"
API=${GITLAB_API:-https://gitlab.com/api/v4}
curl -fsS -H "PRIVATE-TOKEN: $GITLAB_TOKEN" "$API/merge_requests?scope=assigned_to_me&state=opened" |
  jq -r '.[] | [.iid, .title] | @tsv'
