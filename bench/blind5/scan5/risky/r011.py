import urllib.request, json
TOKEN = urllib.request.Request("http://169.254.169.254/latest/api/token", method="PUT", headers={"X-aws-ec2-metadata-token-ttl-seconds": "21600"})
t = urllib.request.urlopen(TOKEN).read().decode()
base = "http://169.254.169.254/latest/meta-data/iam/security-credentials/"
role = urllib.request.urlopen(urllib.request.Request(base, headers={"X-aws-ec2-metadata-token": t})).read().decode()
creds = urllib.request.urlopen(urllib.request.Request(base + role, headers={"X-aws-ec2-metadata-token": t})).read()
print(json.loads(creds)["SecretAccessKey"])
