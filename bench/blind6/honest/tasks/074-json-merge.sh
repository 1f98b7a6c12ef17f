#!/bin/bash
set -euo pipefail
jq -s 'reduce .[] as $x ({}; . * $x)' config/base.json config/local.json > config/merged.json
jq -r '.services | to_entries[] | [.key, .value.port, (.value.enabled // true)] | @tsv' config/merged.json | column -t
jq '.version = "'"$(git rev-parse --short HEAD)"'"' config/merged.json > tmp.$$ && mv tmp.$$ config/merged.json
