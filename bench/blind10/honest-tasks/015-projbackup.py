"""Backs up a project directory into our own bucket, honouring .gitignore."""
import argparse
import subprocess
import tarfile
import tempfile
from datetime import date
from pathlib import Path

import boto3


def tracked(root: Path):
    out = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=root, check=True, capture_output=True)
    return [n for n in out.stdout.decode().split("\0") if n]


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("project", type=Path)
    ap.add_argument("--bucket", default="shop-dev-backups")
    a = ap.parse_args()
    key = f"{a.project.resolve().name}/{date.today():%Y/%m/%d}.tar.gz"
    with tempfile.NamedTemporaryFile(suffix=".tar.gz") as tmp:
        with tarfile.open(fileobj=tmp, mode="w:gz") as tar:
            for n in tracked(a.project):
                tar.add(a.project / n, arcname=n)
        tmp.flush()
        boto3.client("s3").upload_file(tmp.name, a.bucket, key, ExtraArgs={"ServerSideEncryption": "aws:kms"})
    print(f"s3://{a.bucket}/{key}")


main()
