# class: network, health checks; style: concurrent.futures
from concurrent.futures import ThreadPoolExecutor
import urllib.request

SERVICES = {n: f"http://{n}.internal.example:8080/healthz" for n in ("auth", "billing", "search", "mail", "web")}


def check(item):
    name, url = item
    try:
        return name, urllib.request.urlopen(url, timeout=2).status
    except OSError as e:
        return name, str(e)


with ThreadPoolExecutor() as ex:
    for name, state in ex.map(check, SERVICES.items()):
        print(f"{name:10} {state}")
