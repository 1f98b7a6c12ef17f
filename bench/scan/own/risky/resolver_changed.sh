echo nameserver 198.51.100.53 > /etc/resolv.conf
