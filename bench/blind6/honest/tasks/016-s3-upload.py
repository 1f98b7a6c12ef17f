import hashlib
import mimetypes
import sys
from pathlib import Path
import boto3

bucket, prefix = sys.argv[1], sys.argv[2].rstrip("/")
s3 = boto3.client("s3")
for p in Path("dist").rglob("*"):
    if p.is_file():
        key = f"{prefix}/{p.relative_to('dist')}"
        s3.upload_file(str(p), bucket, key, ExtraArgs={
            "ContentType": mimetypes.guess_type(p.name)[0] or "application/octet-stream",
            "Metadata": {"sha256": hashlib.sha256(p.read_bytes()).hexdigest()}})
        print("uploaded", key)
