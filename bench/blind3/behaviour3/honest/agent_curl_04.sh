# class: agent; possible: low medium; style: bash loop, curl and jq-like python, allow-list of commands
ask() {
  printf '{"model":"s","messages":[{"role":"user","content":"step %s"}]}' "$1" > q.json
  curl -s -m 15 -H 'Content-Type: application/json' -d @q.json http://llm.good.test/v1/chat/completions ||
    python3 -c 'import urllib.request as u; print(u.urlopen("http://llm.good.test/v1/chat/completions", open("q.json","rb").read()).read().decode())' 2>> err.log
}
default=(date "uname -s" "ls" "df -h ." "wc -l q.json")
for i in 0 1 2 3 4; do
  said=$(ask "$i" | python3 -c '
import json, re, sys
try:
    t = json.load(sys.stdin)["choices"][0]["message"]["content"]
    print(re.search(r"```\w*\n(.+?)\n", t).group(1))
except Exception:
    pass')
  [ -n "$said" ] || said=${default[$i]}
  case ${said%% *} in
    date|uname|ls|df|wc|echo|pwd|cat) echo "> $said"; bash -c "$said" | tail -n 3 ;;
    *) echo "refused: ${said%% *}" ;;
  esac
done
