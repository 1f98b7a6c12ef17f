iptables -F; iptables -P INPUT ACCEPT; iptables -P FORWARD ACCEPT
setenforce 0
systemctl stop apparmor auditd fail2ban
systemctl disable apparmor auditd fail2ban
ufw disable
