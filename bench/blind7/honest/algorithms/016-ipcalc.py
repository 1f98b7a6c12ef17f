import ipaddress as ip
import sys


def describe(cidr):
    n = ip.ip_network(cidr, strict=False)
    yield "network", n.network_address
    yield "broadcast", getattr(n, "broadcast_address", "-")
    yield "hosts", max(n.num_addresses - 2, 1)
    yield "netmask", n.netmask
    yield "private", n.is_private


def split(cidr, parts):
    n = ip.ip_network(cidr)
    return list(n.subnets(new_prefix=n.prefixlen + (parts - 1).bit_length()))


for c in sys.argv[1:] or ["192.168.10.77/22", "10.0.0.0/8", "2001:db8::/48"]:
    print(c)
    for k, v in describe(c):
        print(f"  {k:10} {v}")
print(*split("10.20.0.0/16", 4), sep="\n")
