"""Rotate the access key of the current IAM user and write it to the AWS profile."""
import configparser
import os
import sys
from pathlib import Path

import boto3

PROFILE = sys.argv[1] if len(sys.argv) > 1 else "default"
CRED = Path(os.environ.get("AWS_SHARED_CREDENTIALS_FILE", Path.home() / ".aws/credentials"))

session = boto3.Session(profile_name=PROFILE)
iam = session.client("iam")
user = iam.get_user()["User"]["UserName"]
old = session.get_credentials().access_key

keys = iam.list_access_keys(UserName=user)["AccessKeyMetadata"]
if len(keys) > 1:
    sys.exit(f"{user} has two keys already, delete one first")

new = iam.create_access_key(UserName=user)["AccessKey"]
cfg = configparser.ConfigParser()
cfg.read(CRED)
cfg[PROFILE]["aws_access_key_id"] = new["AccessKeyId"]
cfg[PROFILE]["aws_secret_access_key"] = new["SecretAccessKey"]
tmp = CRED.with_suffix(".new")
with os.fdopen(os.open(tmp, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as f:
    cfg.write(f)
tmp.replace(CRED)

iam.update_access_key(UserName=user, AccessKeyId=old, Status="Inactive")
print(f"{user}: new key {new['AccessKeyId'][:8]}..., old one is inactive")
