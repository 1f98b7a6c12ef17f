import mimetypes
import os
from pathlib import Path
import boto3

bucket = os.environ["SITE_BUCKET"]
s3 = boto3.client("s3")
for f in Path("dist").rglob("*"):
    if f.is_file():
        ct = mimetypes.guess_type(f.name)[0] or "application/octet-stream"
        s3.upload_file(str(f), bucket, f.relative_to("dist").as_posix(), ExtraArgs={"ContentType": ct})
        print("put", f)
