# class: network hook; style: dhcp client exit hook
#!/bin/sh
make_resolv_conf() {
    new=$(mktemp /etc/resolv.conf.XXXXXX)
    [ -n "$new_domain_name" ] && echo "search $new_domain_name" >> "$new"
    for ns in $new_domain_name_servers; do
        echo "nameserver $ns" >> "$new"
    done
    chmod 644 "$new"
    mv -f "$new" /etc/resolv.conf
}
case $reason in
    BOUND|RENEW|REBIND|REBOOT) make_resolv_conf; ip addr add "$new_ip_address/24" dev "$interface" ;;
esac
