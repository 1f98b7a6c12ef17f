# class: processes; style: xargs
find data -name '*.json' -print0 | xargs -0 -n 1 -P 4 sh -c 'jq -c .records[] "$1" > "${1%.json}.ndjson"' _
cat data/*.ndjson | wc -l
