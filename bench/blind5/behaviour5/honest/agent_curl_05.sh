# class: agent loop; possible: low medium
# a tool loop in shell with jq, each command by itself
msgs='[{"role":"user","content":"go"}]'
for i in 1 2 3 4 5 6 7 8; do
  r=$(curl -s http://llm.good.test/v1/chat/completions -d "{\"messages\":$msgs}")
  cmd=$(echo "$r" | jq -r '.choices[0].message.tool_calls[0].function.arguments // empty' | jq -r '.command // empty')
  [ -z "$cmd" ] && { echo "$r" | jq -r '.choices[0].message.content'; break; }
  out=$(bash -c "$cmd" 2>&1 | tail -c 1500)
  msgs=$(jq -n --argjson m "$msgs" --argjson r "$r" --arg o "$out" '$m + [$r.choices[0].message, {role:"tool",content:$o}]')
done
