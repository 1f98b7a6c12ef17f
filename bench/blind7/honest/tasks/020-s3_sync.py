import mimetypes
import os
import sys
from pathlib import Path

import boto3

bucket = os.environ["SITE_BUCKET"]
root = Path(sys.argv[1] if len(sys.argv) > 1 else "dist")
s3 = boto3.client("s3")

remote = {}
for page in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket):
    remote.update({o["Key"]: o["Size"] for o in page.get("Contents", [])})

local = {p.relative_to(root).as_posix(): p for p in root.rglob("*") if p.is_file()}
for key, p in local.items():
    if remote.get(key) == p.stat().st_size:
        continue
    ctype = mimetypes.guess_type(p.name)[0] or "application/octet-stream"
    cache = "no-cache" if p.suffix == ".html" else "public, max-age=31536000, immutable"
    s3.upload_file(str(p), bucket, key, ExtraArgs={"ContentType": ctype, "CacheControl": cache})
    print("put", key)
gone = [{"Key": k} for k in remote.keys() - local.keys()]
if gone:
    s3.delete_objects(Bucket=bucket, Delete={"Objects": gone})
