import hashlib
import mimetypes
import os
from pathlib import Path

import boto3

bucket, dist = os.environ["SITE_BUCKET"], os.environ["SITE_DISTRIBUTION"]
s3 = boto3.client("s3")
remote = {o["Key"]: o["ETag"].strip('"')
          for p in s3.get_paginator("list_objects_v2").paginate(Bucket=bucket) for o in p.get("Contents", [])}
changed = []
root = Path("public")
for f in (p for p in root.rglob("*") if p.is_file()):
    key = f.relative_to(root).as_posix()
    body = f.read_bytes()
    if remote.pop(key, None) != hashlib.md5(body).hexdigest():
        kind = mimetypes.guess_type(f.name)[0] or "application/octet-stream"
        s3.put_object(Bucket=bucket, Key=key, Body=body, ContentType=kind,
                      CacheControl="max-age=300" if f.suffix == ".html" else "max-age=31536000")
        changed.append("/" + key)
for key in remote:
    s3.delete_object(Bucket=bucket, Key=key)
if changed:
    boto3.client("cloudfront").create_invalidation(DistributionId=dist, InvalidationBatch={
        "Paths": {"Quantity": len(changed), "Items": changed}, "CallerReference": str(os.getpid())})
print(len(changed), "uploaded,", len(remote), "deleted")
