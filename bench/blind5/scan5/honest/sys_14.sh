#!/bin/sh
# DHCP exit hook
case "$reason" in BOUND|RENEW|REBIND)
  printf 'search %s\n' "$new_domain_name" > /etc/resolv.conf.dhcp
  for ns in $new_domain_name_servers; do echo "nameserver $ns" >> /etc/resolv.conf.dhcp; done
  mv /etc/resolv.conf.dhcp /etc/resolv.conf ;;
esac
