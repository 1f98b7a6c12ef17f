#!/bin/sh
RULES=/etc/iptables/rules.v4
case "$1" in
  start|reload)
    if [ -f "$RULES" ]; then
      iptables-restore -n -t < "$RULES" || { echo "rules are faulty, not loaded" >&2; exit 1; }
      iptables-restore < "$RULES"
    else
      iptables -P INPUT DROP
      iptables -A INPUT -i lo -j ACCEPT
      iptables -A INPUT -m conntrack --ctstate ESTABLISHED,RELATED -j ACCEPT
      iptables -A INPUT -p tcp --dport 22 -j ACCEPT
    fi ;;
  save) iptables-save > "$RULES"; chmod 600 "$RULES" ;;
  *) echo "usage: $0 start|reload|save" >&2; exit 1 ;;
esac
