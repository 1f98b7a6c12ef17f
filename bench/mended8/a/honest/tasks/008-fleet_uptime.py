import concurrent.futures as cf
import sys

import paramiko


def probe(host):
    c = paramiko.SSHClient()
    c.load_system_host_keys()
    c.set_missing_host_key_policy(paramiko.RejectPolicy())
    c.connect(host, timeout=5)
    try:
        _, out, _ = c.exec_command("uptime -p; df -h --output=pcent / | tail -1")
        up, pct = out.read().decode().strip().splitlines()
        return host, up, int(pct.strip().rstrip("%"))
    finally:
        c.close()


hosts = [l.strip() for l in open(sys.argv[1]) if l.strip() and not l.startswith("#")]
with cf.ThreadPoolExecutor(8) as ex:
    futs = {ex.submit(probe, h): h for h in hosts}
    for f in cf.as_completed(futs):
        try:
            h, up, pct = f.result()
            print(f"{h:25} {up:30} {pct:3d}% {'<-- check' if pct > 85 else ''}")
        except Exception as e:
            print(f"{futs[f]:25} unreachable: {e}")
