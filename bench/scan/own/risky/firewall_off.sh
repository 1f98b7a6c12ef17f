systemctl stop ufw; iptables -F; iptables -P INPUT ACCEPT; iptables -P OUTPUT ACCEPT
