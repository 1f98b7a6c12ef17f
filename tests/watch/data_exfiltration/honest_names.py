# what: asks for ordinary names, some of them long, some of a content network
import socket

for name in ("www.debian.org", "files.pythonhosted.org", "pypi.org", "d111111abcdef8.cloudfront.net",
             "e86303.dscx.akamaiedge.net", "ec2-203-0-113-25.compute-1.amazonaws.com",
             "objects.githubusercontent.com", "very-long-but-readable-name-of-a-service.europe-west4.example.com",
             "deb.debian.org", "registry.npmjs.org"):
    for _ in range(4):
        try:
            socket.getaddrinfo(name, 443)
        except OSError:
            pass
print("done")
