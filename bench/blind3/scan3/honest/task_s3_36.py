import os

import boto3

bucket, prefix = os.environ["BUCKET"], "reports/"
s3 = boto3.client("s3")
pages = s3.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix)
known = {o["Key"]: o["Size"] for page in pages for o in page.get("Contents", [])}
for top, _, names in os.walk("reports"):
    for name in names:
        path = os.path.join(top, name)
        key = prefix + os.path.relpath(path, "reports")
        if known.get(key) != os.path.getsize(path):
            s3.upload_file(path, bucket, key)
            print("uploaded", key)
