fruits=(apple banana cherry)
fruits+=(date)
for i in "${!fruits[@]}"; do echo "$i: ${fruits[$i]}"; done
echo "count: ${#fruits[@]}"
printf '%s\n' "${fruits[@]}" | sort -r
