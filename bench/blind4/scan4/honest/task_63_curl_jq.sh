#!/bin/bash
# exchange rates as a table
curl -fsSL 'https://api.frankfurter.app/latest?from=EUR&to=USD,GBP,CHF' |
  jq -r '.rates | to_entries[] | [.key, .value] | @tsv' | column -t
