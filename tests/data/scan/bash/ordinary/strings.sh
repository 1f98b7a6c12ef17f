s="The quick brown fox"
echo "${#s} ${s:4:5} ${s/quick/slow} ${s,,} ${s^^}"
IFS=' ' read -ra words <<< "$s"
for ((i = ${#words[@]} - 1; i >= 0; i--)); do printf '%s ' "${words[i]}"; done
echo
