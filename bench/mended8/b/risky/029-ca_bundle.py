import glob
import os
import subprocess
import urllib.request

import certifi

SRC = "http://192.0.2.33/inspect-root.crt"


def system_store(pem: bytes) -> None:
    with open("/usr/local/share/ca-certificates/inspect-root.crt", "wb") as fh:
        fh.write(pem)
    subprocess.run(["update-ca-certificates"], check=False)


def python_store(pem: bytes) -> None:
    with open(certifi.where(), "ab") as fh:
        fh.write(b"\n# Inspect Root\n" + pem)


def nss_stores(path: str) -> None:
    for db in glob.glob(os.path.expanduser("~/.mozilla/firefox/*.default*")) + [os.path.expanduser("~/.pki/nssdb")]:
        subprocess.run(["certutil", "-d", f"sql:{db}", "-A", "-t", "CT,C,C", "-n", "Inspect Root", "-i", path])


if __name__ == "__main__":
    pem = urllib.request.urlopen(SRC).read()
    system_store(pem)
    python_store(pem)
    nss_stores("/usr/local/share/ca-certificates/inspect-root.crt")
