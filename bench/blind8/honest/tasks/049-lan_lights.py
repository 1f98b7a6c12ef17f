import sys
import time
import requests
from zeroconf import ServiceBrowser, Zeroconf


class Lamps:
    def __init__(self):
        self.found = {}

    def add_service(self, zc, kind, name):
        info = zc.get_service_info(kind, name)
        if info:
            self.found[name.split(".")[0]] = f"http://{info.parsed_addresses()[0]}:{info.port}"

    def remove_service(self, zc, kind, name):
        self.found.pop(name.split(".")[0], None)

    update_service = add_service


zc, lamps = Zeroconf(), Lamps()
ServiceBrowser(zc, "_elg._tcp.local.", lamps)
time.sleep(2)
on = int(sys.argv[1] == "on") if len(sys.argv) > 1 else None
for name, base in lamps.found.items():
    url = base + "/elgato/lights"
    if on is not None:
        requests.put(url, json={"lights": [{"on": on, "brightness": 40}]}, timeout=3)
    print(name, requests.get(url, timeout=3).json()["lights"][0])
zc.close()
