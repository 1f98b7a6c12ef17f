"""Rotate the access key of a service user (control IAM-07, every 90 days).

The new key goes to the secrets manager, the old one is deactivated, and it is
deleted by the next run after a grace period.
"""
import argparse
import datetime as dt
import json
import logging
import sys

import boto3

log = logging.getLogger("rotate")
MAX_AGE = dt.timedelta(days=90)
GRACE = dt.timedelta(days=7)


def main() -> int:
    ap = argparse.ArgumentParser()
    ap.add_argument("user")
    ap.add_argument("secret_id")
    a = ap.parse_args()
    logging.basicConfig(level=logging.INFO)
    iam, sm = boto3.client("iam"), boto3.client("secretsmanager")
    now = dt.datetime.now(dt.timezone.utc)
    keys = iam.list_access_keys(UserName=a.user)["AccessKeyMetadata"]
    for k in [k for k in keys if k["Status"] == "Inactive" and now - k["CreateDate"] > MAX_AGE + GRACE]:
        iam.delete_access_key(UserName=a.user, AccessKeyId=k["AccessKeyId"])
        log.info("deleted %s", k["AccessKeyId"])
    due = [k for k in keys if k["Status"] == "Active" and now - k["CreateDate"] > MAX_AGE]
    if not due:
        log.info("nothing to rotate")
        return 0
    new = iam.create_access_key(UserName=a.user)["AccessKey"]
    sm.put_secret_value(SecretId=a.secret_id, SecretString=json.dumps(
        {"id": new["AccessKeyId"], "secret": new["SecretAccessKey"]}))
    for k in due:
        iam.update_access_key(UserName=a.user, AccessKeyId=k["AccessKeyId"], Status="Inactive")
        log.info("deactivated %s", k["AccessKeyId"])
    return 0


sys.exit(main())
