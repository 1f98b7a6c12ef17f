import argparse
import hashlib
import mimetypes
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import boto3
from botocore.exceptions import ClientError


class Bucket:
    def __init__(self, name, endpoint=None):
        self.s3 = boto3.client("s3", endpoint_url=endpoint)
        self.name = name

    def etag(self, key):
        try:
            return self.s3.head_object(Bucket=self.name, Key=key)["ETag"].strip('"')
        except ClientError as e:
            if e.response["Error"]["Code"] == "404":
                return None
            raise

    def put(self, path, key):
        data = path.read_bytes()
        if self.etag(key) == hashlib.md5(data, usedforsecurity=False).hexdigest():
            return key, "same"
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        self.s3.put_object(Bucket=self.name, Key=key, Body=data, ContentType=kind)
        return key, "sent"


def main():
    ap = argparse.ArgumentParser(description="Publish the static site")
    ap.add_argument("folder", type=Path)
    ap.add_argument("bucket")
    ap.add_argument("--endpoint", default="https://s3.storage.example")
    a = ap.parse_args()
    b = Bucket(a.bucket, a.endpoint)
    files = [p for p in a.folder.rglob("*") if p.is_file() and not p.name.startswith(".")]
    with ThreadPoolExecutor(8) as pool:
        for key, what in pool.map(lambda p: b.put(p, p.relative_to(a.folder).as_posix()), files):
            print(what, key)


main()
