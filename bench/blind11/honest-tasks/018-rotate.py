"""Rotate the access key of the deployment user.

Creates the new key, stores it in Secrets Manager, waits, deactivates the old one.
"""
import json
import time

import boto3

USER = "shop-deploy"
SECRET = "shop/deploy-key"


def main():
    iam = boto3.client("iam")
    sm = boto3.client("secretsmanager")
    old = iam.list_access_keys(UserName=USER)["AccessKeyMetadata"]
    if len(old) > 1:
        raise SystemExit("two keys exist, clean up first")
    new = iam.create_access_key(UserName=USER)["AccessKey"]
    sm.put_secret_value(
        SecretId=SECRET,
        SecretString=json.dumps({"id": new["AccessKeyId"], "secret": new["SecretAccessKey"]}),
    )
    time.sleep(60)
    for k in old:
        iam.update_access_key(UserName=USER, AccessKeyId=k["AccessKeyId"], Status="Inactive")
        print("deactivated", k["AccessKeyId"])


if __name__ == "__main__":
    main()
