import os
import tarfile
import tempfile
from datetime import datetime, timezone

import boto3

BUCKET = os.environ["BACKUP_BUCKET"]
SOURCE = os.environ.get("BACKUP_SOURCE", "/srv/app/data")
KEEP = int(os.environ.get("BACKUP_KEEP", "14"))

s3 = boto3.client("s3")


def not_cache(info):
    return None if "/cache/" in info.name or info.name.endswith(".tmp") else info


def make_archive(path):
    with tarfile.open(path, "w:gz") as t:
        t.add(SOURCE, arcname="data", filter=not_cache)


def prune(prefix):
    objs = s3.list_objects_v2(Bucket=BUCKET, Prefix=prefix).get("Contents", [])
    for o in sorted(objs, key=lambda o: o["LastModified"])[:-KEEP]:
        s3.delete_object(Bucket=BUCKET, Key=o["Key"])


stamp = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%SZ")
with tempfile.NamedTemporaryFile(suffix=".tgz") as f:
    make_archive(f.name)
    s3.upload_file(f.name, BUCKET, f"app/{stamp}.tgz", ExtraArgs={"ServerSideEncryption": "AES256"})
prune("app/")
print("stored", stamp)
