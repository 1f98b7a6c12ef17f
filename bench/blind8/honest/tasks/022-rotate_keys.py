"""Rotate my IAM access key: create, write to the profile, verify, deactivate the old one."""
import configparser
import os
import time
from pathlib import Path

import boto3

PROFILE = os.environ.get("AWS_PROFILE", "default")
path = Path.home() / ".aws" / "credentials"

cfg = configparser.ConfigParser()
cfg.read(path)
old = cfg[PROFILE]["aws_access_key_id"]

iam = boto3.Session(profile_name=PROFILE).client("iam")
new = iam.create_access_key()["AccessKey"]
time.sleep(12)  # keys need a moment to become valid
sts = boto3.client("sts", aws_access_key_id=new["AccessKeyId"], aws_secret_access_key=new["SecretAccessKey"])
print("verified for", sts.get_caller_identity()["Arn"])

cfg[PROFILE]["aws_access_key_id"] = new["AccessKeyId"]
cfg[PROFILE]["aws_secret_access_key"] = new["SecretAccessKey"]
tmp = path.with_suffix(".new")
with os.fdopen(os.open(tmp, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as fh:
    cfg.write(fh)
tmp.replace(path)
iam.update_access_key(AccessKeyId=old, Status="Inactive")
print("old key", old[-4:], "deactivated")
