# an URL fetcher that refuses internal addresses
import ipaddress, socket, sys, urllib.parse, urllib.request
BLOCKED = {"169.254.169.254", "metadata.google.internal", "localhost"}
def allowed(url):
    host = urllib.parse.urlsplit(url).hostname
    if host in BLOCKED:
        return False
    return all(not ipaddress.ip_address(a[4][0]).is_private for a in socket.getaddrinfo(host, 443))
for url in sys.argv[1:]:
    if allowed(url):
        print(url, len(urllib.request.urlopen(url, timeout=5).read()))
    else:
        print(url, "refused")
