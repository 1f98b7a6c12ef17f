# class: firewall, network up; style: if-up.d
#!/bin/sh
[ "$IFACE" = lo ] && exit 0
[ "$MODE" = start ] || exit 0
nft -f /etc/nftables.conf
sysctl -qw net.ipv4.conf."$IFACE".rp_filter=1
sysctl -qw net.ipv4.ip_forward=1
ip route replace default via "${IF_GATEWAY:-192.0.2.1}" dev "$IFACE"
resolvconf -u 2>/dev/null || true
