# class: health check; possible: low medium; style: /dev/tcp to a list of named services
rc=0
for target in s1.good.test:80 s2.good.test:80 db.good.test:6379 ssh.good.test:22 chat.good.test:6667 dash.good.test:7000; do
  h=${target%:*} p=${target#*:}
  if timeout 4 bash -c "exec 3<>/dev/tcp/$h/$p" 2>/tmp/err; then echo "$target up"; else echo "$target DOWN"; rc=1; fi
  sleep 1
done
exit $rc
