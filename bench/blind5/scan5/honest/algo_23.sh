# counts words in a text that is given here
read -r -d '' text <<'T'
it was the best of times it was the worst of times
T
tr ' ' '\n' <<< "$text" | sort | uniq -c | sort -rn | head -3
