import telnetlib
for pw in ("admin", "root", "1234"):
    t = telnetlib.Telnet("192.168.0.1", 23, 5)
    t.read_until(b"login: ")
    t.write(b"root\n")
    t.write(pw.encode() + b"\n")
