# class: algorithm on addresses, nothing is connected; style: network admin
import ipaddress
nets = [ipaddress.ip_network(n) for n in ("10.0.0.0/8", "192.168.0.0/16", "169.254.169.254/32", "203.0.113.0/24")]
for a in ("10.1.2.3", "169.254.169.254", "8.8.8.8"):
    ip = ipaddress.ip_address(a)
    print(a, [str(n) for n in nets if ip in n], ip.is_private)
print(list(ipaddress.collapse_addresses([ipaddress.ip_network("10.0.0.0/25"), ipaddress.ip_network("10.0.0.128/25")])))
