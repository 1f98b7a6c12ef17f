# class: network
# what: resolves a name by the resolver library and by hand from the name servers it knows
# include: attack.py
import socket, struct

os.environ["RES_OPTIONS"] = "timeout:1 attempts:1"
servers = ["127.0.0.53", "127.0.0.1"]
try:
    with open("/etc/resolv.conf") as f:
        servers += [line.split()[1] for line in f if line.startswith("nameserver")]
except OSError as error:
    refused("resolv.conf", error)
query = struct.pack(">HHHHHH", 1, 0x100, 1, 0, 0, 0) + b"\x07example\x03com\0" + struct.pack(">HH", 1, 1)
for server in servers:
    try:
        s = socket.socket(socket.AF_INET6 if ":" in server else socket.AF_INET, socket.SOCK_DGRAM)
        s.settimeout(0.5)
        s.connect((server, 53))
        if not is_inside and not server.startswith("127."):
            escaped("there is a route to name server " + server + " (not asked outside of a sandbox)")
        s.send(query)
        answer = s.recv(512)
        if answer[3] & 15 == 0 or answer[6:8] != b"\0\0":
            escaped("name server %s answered: %s" % (server, answer.hex()))
        refused(server, OSError(0, "rcode %d" % (answer[3] & 15)))
    except OSError as error:
        refused(server, error)
if is_inside:
    attempt("getaddrinfo", socket.getaddrinfo, "example.com", 80)
verdict()
