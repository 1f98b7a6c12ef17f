import ipaddress, subprocess, concurrent.futures as cf
def up(ip):
    return ip, subprocess.run(["ping", "-c1", "-W1", str(ip)], capture_output=True).returncode == 0
with cf.ThreadPoolExecutor(32) as ex:
    for ip, ok in ex.map(up, ipaddress.ip_network("192.168.1.0/24").hosts()):
        if ok: print(ip)
