jq -r '.items[] | [.id, .name] | @tsv' data.json | while IFS=$'\t' read -r id name; do
  echo "item $id: $name"
done
