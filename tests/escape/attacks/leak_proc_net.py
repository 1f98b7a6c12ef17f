# class: leaks
# what: sees the host's network in /proc/net: interfaces, connections, sockets, abstract names, routes, neighbours
# include: attack.py
port = "%04X" % int(params.get("host_port", "0") or 0)
name = params.get("abstract_name", "sandbox-agent-test-host")
for base in ("/proc/net", "/proc/self/net", "/proc/1/net", "/proc/thread-self/net"):
    for file in ("dev", "tcp", "tcp6", "udp", "unix", "route", "arp", "fib_trie", "if_inet6",
                 "netlink", "packet", "dev_mcast", "wireless"):
        try:
            with open("%s/%s" % (base, file)) as f:
                text = f.read()
        except OSError as error:
            if file == "dev":
                refused(base, error)
            continue
        if file == "dev" and [l for l in text.split("\n")[2:] if l.strip() and not l.strip().startswith("lo:")]:
            escaped(base + "/dev shows interfaces of the host")
        if file.startswith(("tcp", "udp")) and ":" + port + " " in text and port != "0000":
            escaped(base + "/" + file + " shows the host's listener")
        if file == "unix" and (name in text or "/run/" in text):
            escaped(base + "/unix shows the host's sockets")
        if file in ("route", "arp") and len(text.strip().split("\n")) > 1:
            escaped(base + "/" + file + " shows the host's entries")
        notes.append(file + "=own")
verdict()
