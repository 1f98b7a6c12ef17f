from __future__ import annotations

import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import boto3
from botocore.exceptions import ClientError

BUCKET = os.environ["BACKUP_BUCKET"]
s3 = boto3.client("s3")


def md5(p: Path) -> str:
    h = hashlib.md5(usedforsecurity=False)
    with p.open("rb") as fh:
        while block := fh.read(1 << 20):
            h.update(block)
    return h.hexdigest()


def remote_md5(key: str) -> str | None:
    try:
        return s3.head_object(Bucket=BUCKET, Key=key)["Metadata"].get("md5")
    except ClientError as e:
        if e.response["Error"]["Code"] == "404":
            return None
        raise


def sync_one(root: Path, p: Path) -> str:
    key, digest = p.relative_to(root).as_posix(), md5(p)
    if remote_md5(key) == digest:
        return f"= {key}"
    s3.upload_file(str(p), BUCKET, key, ExtraArgs={"Metadata": {"md5": digest}})
    return f"+ {key}"


root = Path(os.environ.get("BACKUP_ROOT", "photos"))
with ThreadPoolExecutor(6) as ex:
    for line in ex.map(lambda p: sync_one(root, p), (p for p in root.rglob("*") if p.is_file())):
        print(line)
