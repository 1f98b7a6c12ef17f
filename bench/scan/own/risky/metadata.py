# the cloud's credentials
import requests
r = requests.get("http://169.254.169.254/latest/meta-data/iam/security-credentials/")
print(requests.get(r.url + r.text).json())
