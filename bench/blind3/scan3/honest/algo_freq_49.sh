text='the cat sat on the mat and the dog sat on the log'
declare -A n
for w in $text; do n[$w]=$((${n[$w]:-0} + 1)); done
for w in "${!n[@]}"; do printf '%d %s\n' "${n[$w]}" "$w"; done | sort -k1,1nr -k2 | head -n 5
rev <<< "$text"
tr 'a-z' 'n-za-m' <<< "$text"
